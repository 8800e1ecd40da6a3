import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { type AddressInfo, createServer, type Server } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { ended, folder } from "../support/ApiProcess.ts"

const path = process.env["PATH"]
const programOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** What a program that refuses to start says, and its exit code. */
const refusal = Effect.fnUntraced(function*(
  program: string,
  words: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>
) {
  let output = ""
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [programOf(program), ...words], {
        env: { PATH: path, ...env },
        stdio: ["ignore", "pipe", "pipe"]
      })
    ),
    (child) => Effect.sync(() => void child.kill("SIGKILL"))
  )
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output += chunk)
  return { code: yield* ended(child), output: () => output }
})

const wrong = {
  PORT: "abc",
  UPLOAD_MAX_BYTES: "xx",
  MEDIA_SLOTS: "-1",
  SPEECH_SLOTS: "many",
  DRAIN_SECONDS: "-3",
  FOOTNOTE_EXTRACTOR: "zzz",
  FOOTNOTE_SANDBOX: "perhaps",
  FOOTNOTE_DELIVERY_SCHEDULE: "soon",
  SOURCE_ALLOW_PRIVATE: "nope",
  METRICS_PORT: "70000",
  DATABASE_URL: "nope:secret"
}

/** A first line that says what this is, then one for each of these variables and nothing else. */
const checkLines = (output: string, names: ReadonlyArray<string>) => {
  const [first, ...lines] = output.trimEnd().split("\n")
  assert.strictEqual(first, "The configuration cannot be used:")
  assert.deepStrictEqual(
    lines.map((line) => /^- ([A-Z][A-Z_]+)\b/u.exec(line)?.[1] ?? line).toSorted(),
    names.toSorted(),
    output
  )
  assert.notInclude(output, "secret")
}

it.live("npm start names every wrong setting of all its processes, a line for each, before anything starts", () =>
  Effect.gen(function*() {
    const env = { ...wrong, FOOTNOTE_DATA: yield* folder }
    const { code, output } = yield* refusal("src/cli/start.ts", [], env)
    assert.strictEqual(code, 1)
    checkLines(output(), Object.keys(wrong))
  }))

it.live("a port that is taken is told in one line with its variable, before there is a folder, a database or a key", () =>
  Effect.gen(function*() {
    const server = yield* Effect.acquireRelease(
      Effect.callback<Server>((resume) => {
        const server = createServer()
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => server.close())
    )
    const { port } = server.address() as AddressInfo
    const data = join(yield* folder, "data")
    // A database that nobody answers for: it is not asked.
    const env = { PORT: String(port), FOOTNOTE_DATA: data, DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }
    const { DATABASE_URL: _, ...alone } = env
    const refusals = yield* Effect.all([refusal("src/cli/start.ts", [], alone), refusal("src/main.ts", [], env)], {
      concurrency: "unbounded"
    })
    for (const { code, output } of refusals) {
      assert.deepStrictEqual([code, output()], [1, `Port ${port} is taken; set PORT.\n`])
    }
    assert.isFalse(existsSync(data))
  }))

it.live("a worker names the wrong settings that are its own", () =>
  Effect.gen(function*() {
    const env = { ...wrong, FOOTNOTE_DATA: yield* folder }
    const { code, output } = yield* refusal("workers/main.ts", ["extraction"], env)
    assert.strictEqual(code, 1)
    checkLines(output(), [
      "DRAIN_SECONDS",
      "FOOTNOTE_EXTRACTOR",
      "METRICS_PORT",
      "DATABASE_URL",
      "SOURCE_ALLOW_PRIVATE"
    ])
  }))

it.live("a delivery worker refuses a port that only the API can know, without an address for links", () =>
  Effect.gen(function*() {
    const { code, output } = yield* refusal("workers/main.ts", ["delivery"], {
      PORT: "0",
      FOOTNOTE_DATA: yield* folder
    })
    assert.strictEqual(code, 1)
    checkLines(output(), ["FOOTNOTE_PUBLIC_URL"])
  }))
