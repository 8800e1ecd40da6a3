import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { openApiDocument } from "../../src/api/OpenApiDocument.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const client = join(root, "clients/typescript")
const installed = existsSync(join(client, "node_modules/@hey-api/openapi-ts"))
if (!installed) {
  process.stdout.write("The client is not generated anew: npm ci --prefix clients/typescript was not run.\n")
}

const sources = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => {
      const file = join(entry.parentPath, entry.name)
      return [file.slice(folder.length + 1), readFileSync(file, "utf8")] as const
    }).toSorted(([one], [other]) => (one < other ? -1 : 1))
  )

describe("clients/typescript/src", () => {
  it.skipIf(!installed)("is what the generator makes of docs/openapi.json, file by file and byte for byte", () => {
    const folder = mkdtempSync(join(tmpdir(), "footnote-client-"))
    try {
      const copy = join(folder, "clients/typescript")
      mkdirSync(copy, { recursive: true })
      cpSync(join(root, "docs/openapi.json"), join(folder, "docs/openapi.json"))
      for (const file of ["package.json", "openapi-ts.config.ts", "tsconfig.json"]) {
        cpSync(join(client, file), join(copy, file))
      }
      symlinkSync(join(client, "node_modules"), join(copy, "node_modules"))
      const run = spawnSync(process.execPath, ["node_modules/@hey-api/openapi-ts/bin/run.js"], {
        cwd: copy,
        encoding: "utf8"
      })
      assert.strictEqual(run.status, 0, run.stdout + run.stderr)
      assert.deepStrictEqual(sources(join(copy, "src")), sources(join(client, "src")))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }, 120_000)

  it("has a function for every operation of the API and a type for every schema", () => {
    const { components, paths } = JSON.parse(openApiDocument())
    const { "index.ts": index = "" } = sources(join(client, "src"))
    const exported = new Set(index.match(/\w+/gu))
    for (const operations of Object.values<any>(paths)) {
      for (const { operationId } of Object.values<any>(operations)) assert.include([...exported], operationId)
    }
    const names = new Set([...exported].map((name) => name.toLowerCase()))
    for (const name of Object.keys(components.schemas)) {
      assert.isTrue(names.has(name.replaceAll("_", "").toLowerCase()), name)
    }
  })
})
