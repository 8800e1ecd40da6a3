import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { freePort } from "../../src/cli/LocalService.ts"
import { folder, printedKeys } from "../support/ApiProcess.ts"
import { allGone, left, treeOf } from "../support/ProcessTree.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const readme = readFileSync(`${root}/README.md`, "utf8")

const block = (language: string, holds: string): string => {
  const found = [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gmu"))].map(([, code]) =>
    code!
  )
    .find((code) => code.includes(holds))
  assert.isDefined(found, `README.md has a block of ${language} with ${holds}`)
  return found!
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** How sure a value is moves with every fit; what it is, and where it stands, does not. */
const FITTED = new Set(["confidence", "answers"])

/** Holds all that is shown to what there is; of an array, each entry by its pointer, or by its place. */
const holds = (shown: unknown, real: unknown, at: string): void => {
  if (Array.isArray(shown)) {
    assert.isArray(real, at)
    const all = real as ReadonlyArray<unknown>
    shown.forEach((one, index) => {
      const same = isObject(one) && "pointer" in one
        ? all.find((other) => isObject(other) && other["pointer"] === one["pointer"])
        : all[index]
      holds(one, same, `${at}/${index}`)
    })
  } else if (isObject(shown)) {
    assert.isTrue(isObject(real), at)
    for (const [name, value] of Object.entries(shown)) {
      const other = (real as Readonly<Record<string, unknown>>)[name]
      if (FITTED.has(name)) assert.isNumber(other, `${at}/${name}`)
      else holds(value, other, `${at}/${name}`)
    }
  } else assert.deepStrictEqual(real, shown, at)
}

/** All that a process prints up to these words; fails where it ends without them. */
const printedUntil = async (stdout: Readable, words: string): Promise<string> => {
  let printed = ""
  for await (const text of stdout.iterator({ destroyOnReturn: false })) {
    printed += String(text)
    if (printed.includes(words)) {
      stdout.resume()
      return printed
    }
  }
  throw new Error(`It has ended: ${printed}`)
}

const statusOf = async (url: string, key: string): Promise<number> => {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  await answer.arrayBuffer()
  return answer.status
}

describe("README.md", () => {
  it("its first command gives the result that stands below it", async () => {
    // What is installed already is not installed once more under the running tests.
    const command = block("sh", "npm run extract").trim().replace(/^npm ci --omit=dev && /u, "")
    const { stdout } = await promisify(execFile)("sh", ["-euc", `${command} --json`], { cwd: root, maxBuffer: 2 ** 26 })
    const printed: unknown = JSON.parse(stdout.slice(stdout.indexOf("\n{")))
    holds(JSON.parse(block("json", "\"evidence\"")), printed, "")
  })

  it.live("its command for a service starts one as it stands, whose first key opens it, until SIGTERM ends all of it", () =>
    Effect.scoped(Effect.gen(function*() {
      const port = yield* freePort
      const env = { ...process.env, PORT: String(port), FOOTNOTE_DATA: yield* folder, LOG_LEVEL: "Error" }
      // A group of its own, as a terminal gives it.
      const shell = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn("sh", ["-euc", block("sh", "npm start")], {
            cwd: root,
            env,
            detached: true,
            stdio: ["ignore", "pipe", 2]
          })
        ),
        (child) => Effect.sync(() => left(treeOf(child.pid!)).forEach(({ pid }) => process.kill(pid, "SIGKILL")))
      )
      const output = yield* Effect.promise(() => printedUntil(shell.stdout!, "Footnote is at"))
      assert.include(output, `http://127.0.0.1:${port}/app/`)
      const keys = printedKeys(output)
      assert.lengthOf(keys, 1, output)
      for (const path of ["/docs", "/app/", "/v1/jobs"]) {
        const status = yield* Effect.promise(() => statusOf(`http://127.0.0.1:${port}${path}`, keys[0]!))
        assert.strictEqual(status, 200, path)
      }
      const tree = treeOf(shell.pid!)
      const end = once(shell, "exit")
      process.kill(-shell.pid!, "SIGTERM")
      yield* Effect.promise(() => end)
      yield* allGone(tree)
    })))
})
