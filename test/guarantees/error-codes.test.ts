import { assert, describe, it } from "@effect/vitest"
import { OpenApi } from "effect/http-api"
import { readdirSync, readFileSync } from "node:fs"
import { Api } from "../../src/api/Api.ts"
import { ErrorCatalog } from "../../src/errors/ErrorCatalog.ts"
import { Internal, RouteNotFound } from "../../src/errors/RequestErrors.ts"

const document = OpenApi.fromApi(Api) as any

const sources = readdirSync(new URL("../../src", import.meta.url), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, "utf8"))

describe("error codes", () => {
  it("are one closed enumeration that the API document shows whole", () => {
    assert.deepStrictEqual(document.components.schemas.ErrorCode.enum, Object.keys(ErrorCatalog))
  })

  it("tell where they were made from 500 on, and below that spend no time on it", () => {
    assert.notMatch(new RouteNotFound().stack ?? "", /\n +at /u)
    assert.match(new Internal().stack ?? "", /\n +at .*error-codes\.test\.ts/u)
    assert.match(new Error("another").stack ?? "", /\n +at /u)
  })

  it("stand on the status of the catalogue wherever an endpoint declares them", () => {
    let seen = 0
    for (const operations of Object.values<any>(document.paths)) {
      for (const operation of Object.values<any>(operations)) {
        for (const [status, response] of Object.entries<any>(operation.responses)) {
          const refs = JSON.stringify(response).matchAll(/schemas\/Error_([A-Z_]+)/gu)
          for (const [, code] of refs) {
            seen++
            assert.strictEqual(String(ErrorCatalog[code as keyof typeof ErrorCatalog].status), status, code)
          }
        }
      }
    }
    assert.isAbove(seen, 50)
  })

  it("have one class at most, named by the code itself", () => {
    const declared = sources.flatMap((text) =>
      [...text.matchAll(/^export class (\w+) extends ApiError<(\w+)>\(\)\("([A-Z_]+)"\)/gmu)].map((
        [, name, self, code]
      ) => ({
        name,
        self,
        code: code!
      }))
    )
    assert.isAbove(declared.length, 20)
    const codes = declared.map(({ code }) => code)
    assert.deepStrictEqual(codes.toSorted(), [...new Set(codes)].toSorted())
    for (const { code, name, self } of declared) {
      assert.strictEqual(name, self)
      assert.strictEqual(name?.replaceAll(/(?<=.)([A-Z])/gu, "_$1").toUpperCase(), code)
    }
  })
})
