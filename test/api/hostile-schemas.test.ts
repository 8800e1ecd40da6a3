import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { hostileSchemas } from "../schemas/hostileSchemas.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

/** Schemas as text, among them what is no outcome of `JSON.stringify`. */
const texts: Readonly<Record<string, readonly [text: string, status: number, message: RegExp | undefined]>> = {
  "60 levels": [`${"{\"not\":".repeat(60)}{}${"}".repeat(60)}`, 422, /^too_deep: /u],
  "5,000 levels": [`${"{\"not\":".repeat(5000)}{}${"}".repeat(5000)}`, 400, /deeper/u],
  "100,000 brackets": [`{"enum":[${"[".repeat(100_000)}${"]".repeat(100_000)}]}`, 400, /deeper/u],
  "a number that no double holds": ["{\"type\":\"number\",\"maximum\":1e999}", 400, /./u],
  "a word that is no number": ["{\"maximum\":NaN}", 400, /./u],
  "half a character in a name": ["{\"properties\":{\"\\ud800\":{}}}", 400, /surrogate/u],
  "a NUL in a name": ["{\"properties\":{\"\\u0000\":{}}}", 400, /NUL/u],
  "a member given twice": [
    "{\"properties\":{\"a\":{\"type\":\"string\"},\"\\u0061\":{\"type\":\"number\"}}}",
    400,
    /"a" twice/u
  ],
  "__proto__ everywhere": [
    "{\"$defs\":{\"__proto__\":{\"type\":\"string\"}},\"type\":\"object\",\"properties\":{\"__proto__\":{\"$ref\":\"#/$defs/__proto__\"}},\"required\":[\"__proto__\"]}",
    201,
    undefined
  ]
}

/** What the body's own check finds before there is a schema. */
const earlier = new Set(["too_deep", "unsupported_number", "unsupported_text"])

layer(Server.layer, { excludeTestServices: true })("POST /v1/schemas of a hostile schema", (it) => {
  it.effect("answers 422 with reason and pointer, or 201 where it is harmless, and never otherwise", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      for (const [what, { reason, schema }] of Object.entries(hostileSchemas)) {
        if (earlier.has(reason ?? "") || JSON.stringify(schema).includes("\\u0000")) continue
        const answer = yield* send("POST", "/v1/schemas", {
          key,
          body: JSON.stringify({ name: "n", json_schema: schema })
        })
        assert.strictEqual(answer.status, reason === null ? 201 : 422, `${what}: ${answer.text.slice(0, 300)}`)
        if (reason === null) continue
        assert.strictEqual(answer.json.error.code, "SCHEMA_INVALID")
        for (const { message, path } of answer.json.error.details) {
          assert.isString(path)
          assert.match(message, /^[a-z_]+: ./u)
        }
        assert.match(answer.json.error.details[0].message, new RegExp(`^${reason}: `, "u"), what)
      }
    }))

  it.effect("refuses text that JSON or a database cannot hold, and keeps what it accepts word for word", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      for (const [what, [text, status, message]] of Object.entries(texts)) {
        for (const path of ["/v1/schemas", "/v1/jobs"]) {
          const rest = path === "/v1/jobs"
            ? "\"source_uri\":\"https://example.com/a.mp4\",\"schema_inline\""
            : "\"name\":\"n\",\"json_schema\""
          const answer = yield* send("POST", path, { key, body: `{${rest}:${text}}` })
          assert.strictEqual(answer.status, status, `${path}, ${what}: ${answer.text.slice(0, 300)}`)
          if (message !== undefined) assert.match(answer.json.error.details[0].message, message, what)
          if (status !== 201 || path === "/v1/jobs") continue
          const read = yield* send("GET", `/v1/schemas/${answer.json.id}`, { key })
          assert.strictEqual(JSON.stringify(read.json.json_schema), JSON.stringify(JSON.parse(text)), what)
        }
      }
    }))
})
