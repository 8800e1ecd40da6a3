import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { apiConfiguration } from "../../src/http/ApiConfiguration.ts"
import { pools } from "../../src/processes/Pools.ts"
import { configurationPage, settingsOf } from "../../tools/write-docs/ConfigurationPage.ts"
import { workerConfiguration } from "../../workers/WorkerConfiguration.ts"
import * as Server from "../support/TestServer.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const read = (file: string) => readFileSync(join(root, file), "utf8")
const run = promisify(execFile)
const pages = globSync(
  ["*.md", "docs/*.md", "models/**/*.md", "samples/*.md", "bench/**/*.md", "clients/*/README.md"],
  {
    cwd: root,
    exclude: (path) => path.includes("node_modules")
  }
).toSorted()

/** What is written between fences of that language. */
const blocks = (text: string, language: string): ReadonlyArray<string> =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gmu"))].map(([, code]) => code!)

/** A heading's anchor as the common hosts of Markdown make it. */
const anchorOf = (heading: string): string =>
  heading.trim().toLowerCase().replace(/[`*]/gu, "").replace(/[^\p{L}\p{N} _-]/gu, "").replace(/ /gu, "-")

const anchors = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.replace(/^```[\s\S]*?^```/gmu, "").matchAll(/^#+ (.+)$/gmu)].map(([, heading]) => anchorOf(heading!))
  )

/** Every link to a file or heading of the project that leads nowhere. */
const broken = (page: string): ReadonlyArray<string> =>
  [...read(page).replace(/^```[\s\S]*?^```/gmu, "").matchAll(/\]\(([^)\s]+)\)/gu)].map(([, to]) => to!)
    .filter((to) => !/^(?:https?|mailto):/u.test(to))
    .filter((to) => {
      const [file = "", anchor] = to.split("#")
      const path = file === "" ? join(root, page) : resolve(root, dirname(page), file)
      if (!existsSync(path)) return true
      return anchor !== undefined && path.endsWith(".md") && !anchors(readFileSync(path, "utf8")).has(anchor)
    })

describe("documents", () => {
  it("link only to what is there", () => {
    assert.include(pages, "README.md")
    assert.deepStrictEqual(
      Object.fromEntries(pages.map((page) => [page, broken(page)]).filter(([, to]) => to!.length > 0)),
      {}
    )
  })

  it("name only commands that package.json has", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> }
    const own = pages.filter((page) => !page.startsWith("clients/"))
    const unknown = own.flatMap((page) =>
      [...read(page).matchAll(/npm run (?:-s )?([a-z][\w:-]*)/gu)].map(([, name]) => `${page}: ${name}`)
        .filter((found) => !Object.hasOwn(scripts, found.split(": ")[1]!))
    )
    assert.deepStrictEqual(unknown, [])
  })

  it("README.md's block for the tests installs, and runs a script that collects test files (listed here, not run)", async () => {
    const found = blocks(read("README.md"), "sh").filter((code) => code.includes("npm test"))
    assert.deepStrictEqual(found, ["npm ci && npm test\n"])
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> }
    const script = /vitest run (?<options>.+)$/u.exec(scripts["test"] ?? "")
    assert.isNotNull(script, scripts["test"])
    const { stdout } = await run("sh", ["-euc", `vitest list --filesOnly ${script!.groups!["options"]}`], {
      cwd: root,
      env: { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` }
    })
    const files = stdout.split("\n").filter((line) => line.includes(".test.ts"))
    assert.isAbove(files.length, 300)
    assert.isTrue(files.some((line) => line.includes("test/guarantees/documents.test.ts")))
  })

  it("README.md is read in a few minutes: at most 160 lines", () => {
    assert.isAtMost(read("README.md").split("\n").length, 160)
  })
})

describe("docs/configuration.md", () => {
  it("is what the settings in the code say of themselves", () => {
    assert.strictEqual(configurationPage(), read("docs/configuration.md"), "npm run docs")
  })

  it("has every variable that a process reads", () => {
    const read_names = settingsOf([...apiConfiguration, ...workerConfiguration(pools)]).map(({ name }) => name)
    const page = configurationPage()
    assert.isAbove(read_names.length, 70)
    assert.deepStrictEqual(read_names.filter((name) => !page.includes(`\n| \`${name}\` |`)), [])
  })

  it("has each variable once, and no module reads one without saying what it means", () => {
    const names = [...configurationPage().matchAll(/^\| `([A-Z0-9_]+)` \|/gmu)].map(([, name]) => name!)
    assert.deepStrictEqual(names.toSorted(), [...new Set(names)].toSorted())
    const named = /\bConfig\.(?:String|NonEmptyString|Int|Number|Finite|Boolean|Redacted|Port|URL|Literals?)\(/u
    const modules = globSync("{src,workers}/**/*.ts", { cwd: root }).filter((file) => named.test(read(file)))
    // The decoder is looked for on PATH as every shell would.
    assert.deepStrictEqual(modules.toSorted(), ["src/observability/Setting.ts", "workers/media/ffmpeg/Ffmpeg.ts"])
  })
})

layer(Server.layer, { excludeTestServices: true })("the shell of README.md", (it) => {
  it.effect("submits a job as it stands, to another port and with a key", () =>
    Effect.gen(function*() {
      const { base_url, tenant } = yield* Server.TestServer
      const { key } = yield* tenant("reader")
      const found = blocks(read("README.md"), "sh").filter((code) => code.includes("curl"))
      assert.isAbove(found.length, 0)
      for (const code of found) {
        const { stdout } = yield* Effect.promise(() =>
          run("sh", ["-euc", `KEY=${key}\n${code.replaceAll("http://127.0.0.1:8080", base_url)}`], { cwd: root })
        )
        const job = JSON.parse(stdout) as { id: string; status: string }
        assert.match(job.id, /^job_/u)
        assert.strictEqual(job.status, "queued")
      }
    }))
})
