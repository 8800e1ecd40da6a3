import { assert, describe, it } from "@effect/vitest"
import addFormats from "ajv-formats"
import Ajv2020 from "ajv/dist/2020.js"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { openApiExamples } from "../../src/api/openapi/OpenApiExamples.ts"
import { openApiDocument } from "../../src/api/OpenApiDocument.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const document = JSON.parse(openApiDocument())

/** Runs a linter of the repository over the committed document, away from every network. */
const lint = (program: string, args: ReadonlyArray<string>) =>
  promisify(execFile)(`${root}/node_modules/.bin/${program}`, args, {
    cwd: root,
    env: {
      PATH: process.env["PATH"],
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      HTTPS_PROXY: "http://127.0.0.1:9"
    }
  }).then(({ stdout }) => stdout, ({ stderr, stdout }: { stderr: string; stdout: string }) => stdout + stderr)

/** Every schema of the document that has something to show, with where it stands. */
const shown: Array<readonly [path: string, schema: any]> = []

/** `named`: the members are schemas by names of their own, which may be those of keywords. */
const collect = (node: unknown, path: string, named = false): void => {
  if (typeof node !== "object" || node === null) return
  const { default: preset, examples } = node as { readonly examples?: unknown; readonly default?: unknown }
  if (!named && path.includes("schema") && (Array.isArray(examples) || preset !== undefined)) shown.push([path, node])
  for (const [key, child] of Object.entries(node)) {
    if (!named && (key === "examples" || key === "default") && !path.endsWith("/responses")) continue
    collect(child, `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, !named && key === "properties")
  }
}
collect(document.components, "/components")
collect(document.paths, "/paths")

describe("docs/openapi.json", () => {
  it("passes spectral's rules for OpenAPI with no finding of any severity", async () => {
    const found = await lint("spectral", [
      "lint",
      "docs/openapi.json",
      "--ruleset",
      ".spectral.yaml",
      "--fail-severity",
      "hint",
      "--quiet",
      "--format",
      "json"
    ])
    assert.deepStrictEqual(JSON.parse(found), [])
  })

  it("passes redocly's strict rules with no finding", async () => {
    const found = JSON.parse(
      await lint("redocly", ["lint", "docs/openapi.json", "--config", "redocly.yaml", "--format", "json"])
    )
    assert.deepStrictEqual(found.problems, [])
    assert.deepStrictEqual(found.totals, { errors: 0, warnings: 0, ignored: 0 })
  })

  it("shows examples and defaults that fit their own schemas", () => {
    const ajv = new Ajv2020.default({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addFormat("binary", true)
    ajv.addSchema(document, "openapi")
    assert.isAbove(shown.length, 100)
    for (const [path, schema] of shown) {
      const validate = ajv.compile({ $ref: `openapi#${path.split("/").map(encodeURIComponent).join("/")}` })
      const values = [
        ...(Array.isArray(schema.examples) ? schema.examples : []),
        ...("default" in schema ? [schema.default] : [])
      ]
      for (const value of values) {
        assert.isTrue(validate(value), `${path}: ${JSON.stringify(value)} ${ajv.errorsText(validate.errors)}`)
      }
    }
  })

  it("has an example for every body that is sent or answered", () => {
    const schemas = document.components.schemas
    const operations = Object.values<any>(document.paths).flatMap((of) => Object.values<any>(of))
    const names = [...Object.keys(schemas), ...operations.map(({ operationId }) => operationId)]
    for (const name of Object.keys(openApiExamples)) assert.include(names, name)
    for (const [path, operations] of Object.entries<any>(document.paths)) {
      for (const [method, operation] of Object.entries<any>(operations)) {
        const bodies = [operation.requestBody, ...Object.values<any>(operation.responses)]
        for (const body of bodies) {
          const schema = body?.content?.["application/json"]?.schema
          for (const one of schema?.anyOf ?? (schema === undefined ? [] : [schema])) {
            const target = one.$ref === undefined ? one : schemas[one.$ref.split("/").at(-1)]
            assert.isNotEmpty(target.examples ?? [], `${method} ${path} ${one.$ref}`)
          }
        }
      }
    }
  })

  it("describes every parameter, names the tag and the id of every operation, and gives each of its statuses once", () => {
    for (const [path, operations] of Object.entries<any>(document.paths)) {
      for (const [method, operation] of Object.entries<any>(operations)) {
        assert.match(operation.operationId, /^[a-z]+[A-Za-z]+$/u, `${method} ${path}`)
        assert.lengthOf(operation.tags, 1)
        for (const parameter of operation.parameters ?? []) {
          assert.isNotEmpty(parameter.description ?? "", `${method} ${path} ${parameter.name}`)
        }
        assert.property(operation.responses, "default")
      }
    }
  })
})
