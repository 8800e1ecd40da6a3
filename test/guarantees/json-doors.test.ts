import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { gzipSync } from "node:zlib"
import { redirect_uri, signIn } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"
import { callTool } from "../support/ToolClient.ts"

const { TestServer } = Server

const nested = `${"[".repeat(200)}${"]".repeat(200)}`

/** What a body may hold in no place, by the member that holds it. */
const faults: Readonly<Record<string, string>> = {
  "a member twice": `"x":{"a":1,"\\u0061":2}`,
  "a number that no double holds": `"x":[1e400]`,
  "brackets nested too deep": `"x":${nested}`,
  "more values than a batch has": `"x":[${"0,".repeat(25_000)}0]`,
  "a NUL character": `"x":"a\\u0000"`,
  "half a surrogate pair": `"x":{"\\udfff":1}`
}

/** A way in for JSON: a good body with one more member, and how it says that it did not take it. */
interface Door {
  readonly path: string
  readonly body: (member: string) => string
  readonly problem: (json: any) => unknown
  readonly headers?: Readonly<Record<string, string>>
}

const initialize = (member: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},
    "clientInfo":{"name":"a","version":"1",${member}}}}`

const doors: Readonly<Record<string, Door>> = {
  "the REST API": {
    path: "/v1/schemas",
    body: (member) => `{"name":"n","json_schema":{"type":"object",${member}}}`,
    problem: (json) => json.error.code === "INVALID_REQUEST" && json.error.details[0].message
  },
  "the tool server": {
    path: "/mcp",
    body: initialize,
    problem: (json) => json.error.code === -32600 && json.error.data.details[0].message
  },
  "the registration of clients": {
    path: "/oauth/register",
    body: (member) => `{"redirect_uris":["${redirect_uri}"],"software_id":"a",${member}}`,
    problem: (json) => json.error === "invalid_request" && json.error_description
  }
}

const list = (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`

layer(Server.layer, { excludeTestServices: true })("every door for JSON", (it) => {
  const arrange = Effect.gen(function*() {
    const { tenant } = yield* TestServer
    const { key } = yield* tenant("a")
    // Each test knocks more often than one address may.
    const { base_url, send } = yield* Server.replica({ TRUST_PROXY: "127.0.0.1,::1" })
    const { access_token } = yield* Effect.promise(() => signIn(base_url, key))
    let knocks = 0
    const knock = ({ path }: Door, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
      send("POST", path, {
        key: path === "/mcp" ? access_token : key,
        body,
        headers: {
          accept: "application/json, text/event-stream",
          "x-forwarded-for": `10.0.0.${++knocks}`,
          ...headers
        }
      })
    return { access_token, knock }
  })

  for (const [name, door] of Object.entries(doors)) {
    it.effect(`${name} takes a good body, and none with ${Object.keys(faults).join(", ")}`, () =>
      Effect.gen(function*() {
        const { knock } = yield* arrange
        const good = yield* knock(door, door.body(`"description":"a"`))
        assert.isBelow(good.status, 300, good.text)
        for (const [fault, member] of Object.entries(faults)) {
          const { json, status, text } = yield* knock(door, door.body(member))
          assert.strictEqual(status, 400, `${fault}: ${text}`)
          assert.isString(door.problem(json), `${fault}: ${text}`)
        }
      }))

    it.effect(`${name} takes JSON in plain UTF-8 only, whatever it calls itself`, () =>
      Effect.gen(function*() {
        const { knock } = yield* arrange
        const body = door.body(`"description":"\u00e9"`)
        const latin = yield* knock(door, Buffer.from(body, "latin1"))
        assert.strictEqual(latin.status, 400, latin.text)
        const wide = yield* knock(door, Buffer.from(body, "utf16le"), {
          "content-type": "application/json; charset=utf-16"
        })
        assert.strictEqual(wide.status, 415, wide.text)
        const packed = yield* knock(door, gzipSync(body), { "content-encoding": "gzip" })
        assert.strictEqual(packed.status, 415, packed.text)
      }))
  }

  it.effect("the tool server holds a message in a session to the same", () =>
    Effect.gen(function*() {
      const { knock } = yield* arrange
      const door = doors["the tool server"]!
      const begun = yield* knock(door, initialize(`"title":"a"`))
      const session = {
        "mcp-session-id": begun.headers["mcp-session-id"]!,
        "mcp-protocol-version": "2025-11-25"
      }
      assert.strictEqual((yield* knock(door, list("2"), session)).status, 200)
      const twice = yield* knock(door, list(`2,"id":3`), session)
      assert.strictEqual(twice.status, 400)
      assert.strictEqual(twice.json.error.message, `Has the member "id" twice`)
    }))

  it.effect("text in a tool's arguments that no database takes is told by the tool, as its route tells it", () =>
    Effect.gen(function*() {
      const { tenant } = yield* TestServer
      const { key } = yield* tenant("b")
      const server = yield* TestServer
      const { access_token } = yield* Effect.promise(() => signIn(server.base_url, key))
      const answer = yield* callTool(access_token, "get_job", { job_id: "a\0" })
      assert.isTrue(answer.isError)
      assert.deepStrictEqual(JSON.parse(answer.text).error.details.map(({ path }: { path: string }) => path), [
        "/job_id"
      ])
    }))
})
