import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { openApiDocument } from "../../src/api/OpenApiDocument.ts"
import { type Document, resourcesOf, type SchemaNode } from "../../tools/write-clients/Operations.ts"
import { pythonModels, pythonParams } from "../../tools/write-clients/PythonSchemas.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const client = join(root, "clients/typescript")
const installed = existsSync(join(client, "node_modules/@hey-api/openapi-ts"))
if (!installed) {
  process.stdout.write(
    "The types of the client are not generated anew: npm ci --prefix clients/typescript was not run.\n"
  )
}

/** Where generated files lie, from the root. */
const written = ["clients/typescript/src/generated", "clients/python/src/footnote/generated"]

const sources = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile() && !entry.parentPath.includes("__pycache__")
    ).map((entry) => {
      const file = join(entry.parentPath, entry.name)
      return [file.slice(folder.length + 1), readFileSync(file, "utf8")] as const
    }).toSorted(([one], [other]) => (one < other ? -1 : 1))
  )

const succeeded = (cwd: string, ...args: ReadonlyArray<string>) => {
  const run = spawnSync(process.execPath, args, { cwd, encoding: "utf8" })
  assert.strictEqual(run.status, 0, run.stdout + run.stderr)
}

/** What the generators make of docs/openapi.json in another place, of the files that are committed. */
const made = (withTypes: boolean) => {
  const folder = mkdtempSync(join(tmpdir(), "footnote-client-"))
  try {
    cpSync(join(root, "docs/openapi.json"), join(folder, "docs/openapi.json"))
    for (const path of written) mkdirSync(join(folder, path), { recursive: true })
    if (withTypes) {
      const copy = join(folder, "clients/typescript")
      for (const file of ["package.json", "openapi-ts.config.ts", "tsconfig.json"]) {
        cpSync(join(client, file), join(copy, file))
      }
      symlinkSync(join(client, "node_modules"), join(copy, "node_modules"))
      succeeded(copy, "node_modules/@hey-api/openapi-ts/bin/run.js")
    }
    succeeded(root, "tools/write-clients.ts", folder)
    return Object.assign({}, ...written.map((path) => sources(join(folder, path))))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const record = (properties: Readonly<Record<string, SchemaNode>>, description = "") => ({
  type: "object",
  properties,
  description
})

const committed = (): Record<string, string> => Object.assign({}, ...written.map((path) => sources(join(root, path))))

describe("the generated parts of clients", () => {
  it("are what tools/write-clients.ts makes of docs/openapi.json, file by file and byte for byte", () => {
    const fresh = made(false)
    const kept = committed()
    assert.isNotEmpty(fresh)
    for (const [name, text] of Object.entries(fresh)) assert.strictEqual(kept[name], text, name)
  })

  it.skipIf(!installed)("are all written by the generators, types included", () => {
    const { "__init__.py": _, ...kept } = committed()
    assert.deepStrictEqual(made(true), kept)
  }, 120_000)

  it("have a method for every operation of the API but the tus protocol's and the event stream's, and a type for every schema", () => {
    const document = JSON.parse(openApiDocument())
    const methods = new Set(resourcesOf(document).flatMap(({ operations }) => operations.map(({ id }) => id)))
    const ids = Object.values<any>(document.paths).flatMap((item) =>
      Object.values<any>(item).map(({ operationId }) => operationId)
    )
    assert.deepStrictEqual(ids.filter((id) => !methods.has(id)).toSorted(), [
      "appendUpload",
      "createUpload",
      "getUploadCapabilities",
      "streamJobEvents"
    ])
    const names = new Set(committed()["types.ts"]?.match(/\w+/gu)?.map((name) => name.toLowerCase()))
    for (const name of Object.keys(document.components.schemas)) {
      assert.isTrue(names.has(name.replaceAll("_", "").toLowerCase()), name)
    }
  })

  it("name nothing in Python before it is there, whatever descriptions say and whatever holds itself", () => {
    const document: Document = {
      paths: {
        "/v1/things": {
          post: {
            operationId: "createThing",
            requestBody: { required: true, content: { "application/json": { schema: ref("AnyThing") } } },
            responses: { 201: { content: { "application/json": { schema: ref("AnyThing") } } } }
          }
        }
      },
      components: {
        schemas: {
          AnyThing: { oneOf: [ref("Small"), ref("Large")] },
          Small: record({ name: { type: "string" } }, "One kind of AnyThing."),
          Large: record({ parts: { type: "array", items: ref("AnyThing") } })
        }
      }
    }
    const resources = resourcesOf(document)
    for (const text of [pythonModels(document, resources).text, pythonParams(document, resources)]) {
      const at = (pattern: RegExp) => text.search(pattern)
      assert.isAbove(at(/^AnyThing = t\.Union\[Small, Large\]$/mu), at(/^class Small/mu))
      assert.isAbove(at(/^AnyThing = /mu), at(/^class Large/mu))
    }
  })

  it("give each method of a resource a name of its own", () => {
    for (const { operations, words } of resourcesOf(JSON.parse(openApiDocument()))) {
      const names = operations.map((operation) => operation.words.join(" "))
      assert.deepStrictEqual(names, [...new Set(names)], words.join(" "))
    }
  })
})
