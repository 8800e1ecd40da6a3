import { Effect } from "effect"
import type * as Server from "./TestServer.ts"

const url = "https://example.com/hook"
const video = { "content-type": "video/mp4" }

interface Prepared {
  readonly path: string
  readonly call: Server.Call
  /** The same operation with the same key, and something else asked for. */
  readonly other: { readonly path: string; readonly call: Server.Call }
  /** How many of what it makes there are. */
  readonly made: string
  /** Takes away what was made; undefined where it cannot be. */
  readonly take?: (id: string) => readonly ["DELETE", string]
}

export interface KeyedRoute {
  readonly name: string
  readonly status: 200 | 201 | 202
  readonly prepare: (
    send: Server.TestServer["Service"]["send"],
    key: string,
    succeed: (id: string) => Effect.Effect<void>
  ) => Effect.Effect<Prepared>
}

const json = (path: string, body: object, other: object, made: string, take?: Prepared["take"]): Prepared => ({
  path,
  call: { json: body },
  other: { path, call: { json: other } },
  made,
  ...(take === undefined ? {} : { take })
})

const begin = (length: string) => ({ headers: { "tus-resumable": "1.0.0", "upload-length": length } })
const said = (text: string) => ({ segments: [{ text }], wait_seconds: 0 })
const since = (at: string) => ({ since: `2026-11-20T09:30:0${at}Z` })
const webhook = { name: "w", type: "webhook", config: { url } }

/** Two succeeded jobs and a destination that is paused, so that nothing is on its way while it is looked at. */
export const keyedScene = Effect.fnUntraced(function*(
  send: Server.TestServer["Service"]["send"],
  key: string,
  succeed: (id: string) => Effect.Effect<void>
) {
  const [first, second] = yield* Effect.forEach([1, 2], () =>
    Effect.gen(function*() {
      const { id } = (yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/a.mp4" } })).json
      yield* succeed(id)
      return String(id)
    }))
  const destination = (yield* send("POST", "/v1/destinations", { key, json: webhook })).json
  yield* send("PATCH", `/v1/destinations/${destination.id}`, { key, json: { status: "paused" } })
  return { first: first!, second: second!, destination_id: String(destination.id) }
})

/** Every POST that remembers its answer in KeyedRequests, as the tests of its key send it. */
export const keyedRoutes: ReadonlyArray<KeyedRoute> = [
  {
    name: "POST /v1/schemas",
    status: 201,
    prepare: () =>
      Effect.succeed(json(
        "/v1/schemas",
        { name: "s", json_schema: { type: "object", properties: { b: { type: "string" }, a: { type: "string" } } } },
        { name: "s", json_schema: { type: "object" } },
        "/v1/schemas",
        (id) => ["DELETE", `/v1/schemas/${id}`]
      ))
  },
  {
    name: "POST /v1/exports",
    status: 201,
    prepare: () =>
      Effect.succeed(json("/v1/exports", {}, { include: [] }, "/v1/exports", (id) => ["DELETE", `/v1/exports/${id}`]))
  },
  {
    name: "POST /v1/destinations",
    status: 201,
    prepare: () =>
      Effect.succeed(json(
        "/v1/destinations",
        webhook,
        { ...webhook, name: "x" },
        "/v1/destinations",
        (id) => ["DELETE", `/v1/destinations/${id}`]
      ))
  },
  {
    name: "POST /v1/api-keys",
    status: 201,
    prepare: () =>
      Effect.succeed(json(
        "/v1/api-keys",
        { name: "k" },
        { name: "l" },
        "/v1/api-keys",
        (id) => ["DELETE", `/v1/api-keys/${id}`]
      ))
  },
  {
    name: "POST /v1/uploads with a whole file",
    status: 201,
    prepare: () =>
      Effect.succeed({
        path: "/v1/uploads",
        call: { body: "the file", headers: video },
        other: { path: "/v1/uploads", call: { body: "another file", headers: video } },
        made: "",
        take: (id) => ["DELETE", `/v1/uploads/${id}`]
      })
  },
  {
    name: "POST /v1/uploads in the tus protocol",
    status: 201,
    prepare: () => {
      return Effect.succeed({
        path: "/v1/uploads",
        call: begin("20"),
        other: { path: "/v1/uploads", call: begin("21") },
        made: "",
        take: (id) => ["DELETE", `/v1/uploads/${id}`]
      })
    }
  },
  {
    name: "POST /v1/jobs/{id}/deliveries",
    status: 201,
    prepare: Effect.fnUntraced(function*(send, key, succeed) {
      const { destination_id, first, second } = yield* keyedScene(send, key, succeed)
      const call = { json: { destination_id } }
      return {
        path: `/v1/jobs/${first}/deliveries`,
        call,
        other: { path: `/v1/jobs/${second}/deliveries`, call },
        made: `/v1/deliveries?destination_id=${destination_id}`
      }
    })
  },
  {
    name: "POST /v1/deliveries/{id}/retry",
    status: 200,
    prepare: Effect.fnUntraced(function*(send, key, succeed) {
      const { destination_id, first, second } = yield* keyedScene(send, key, succeed)
      const [one, other] = yield* Effect.forEach(
        [first, second],
        (id) =>
          Effect.map(
            send("POST", `/v1/jobs/${id}/deliveries`, { key, json: { destination_id } }),
            ({ json }) => json.id
          )
      )
      return {
        path: `/v1/deliveries/${one}/retry`,
        call: {},
        other: { path: `/v1/deliveries/${other}/retry`, call: {} },
        made: ""
      }
    })
  },
  {
    name: "POST /v1/destinations/{id}/rotate-signing-secret",
    status: 200,
    prepare: Effect.fnUntraced(function*(send, key, succeed) {
      const { destination_id } = yield* keyedScene(send, key, succeed)
      const path = `/v1/destinations/${destination_id}/rotate-signing-secret`
      return {
        ...json(path, { keep_old_for_seconds: 60 }, { keep_old_for_seconds: 61 }, ""),
        take: () => ["DELETE", `/v1/destinations/${destination_id}`]
      }
    })
  },
  {
    name: "POST /v1/destinations/{id}/recover",
    status: 200,
    prepare: Effect.fnUntraced(function*(send, key, succeed) {
      const { destination_id } = yield* keyedScene(send, key, succeed)
      const path = `/v1/destinations/${destination_id}/recover`
      return {
        ...json(path, since("0"), since("1"), ""),
        take: () => ["DELETE", `/v1/destinations/${destination_id}`]
      }
    })
  },
  {
    name: "POST /v1/destinations/{id}/test",
    status: 200,
    prepare: Effect.fnUntraced(function*(send, key) {
      // An address that leads nowhere: what is found is told all the same, with the moment of this one check.
      const [one, other] = yield* Effect.forEach(["one", "other"], (name) => {
        const json = { name, type: "webhook", config: { url: `https://${name}.invalid/hook` } }
        return Effect.map(send("POST", "/v1/destinations", { key, json }), ({ json }) => `/v1/destinations/${json.id}`)
      })
      return {
        path: `${one}/test`,
        call: {},
        other: { path: `${other}/test`, call: {} },
        made: "",
        take: () => ["DELETE", one!]
      }
    })
  },
  {
    name: "POST /v1/jobs/{id}/cancel",
    status: 200,
    prepare: Effect.fnUntraced(function*(send, key) {
      const [one, other] = yield* Effect.forEach([1, 2], () => {
        const json = { source_uri: "https://example.com/a.mp4" }
        return Effect.map(send("POST", "/v1/jobs", { key, json }), ({ json }) => `/v1/jobs/${json.id}`)
      })
      return {
        path: `${one}/cancel`,
        call: {},
        other: { path: `${other}/cancel`, call: {} },
        made: "",
        take: (id) => ["DELETE", `/v1/jobs/${id}`]
      }
    })
  },
  {
    name: "POST /v1/jobs/{id}/preview",
    status: 202,
    prepare: Effect.fnUntraced(function*(send, key, succeed) {
      const { first, second } = yield* keyedScene(send, key, succeed)
      return {
        path: `/v1/jobs/${first}/preview`,
        call: {},
        other: { path: `/v1/jobs/${second}/preview`, call: {} },
        made: ""
      }
    })
  },
  {
    name: "POST /v1/jobs/{id}/media-links",
    status: 201,
    prepare: Effect.fnUntraced(function*(send, key, succeed) {
      const { first } = yield* keyedScene(send, key, succeed)
      return json(`/v1/jobs/${first}/media-links`, {}, { expires_in_seconds: 60 }, "")
    })
  },
  {
    name: "POST /v1/schemas/infer",
    status: 200,
    prepare: () =>
      Effect.succeed(json("/v1/schemas/infer", { examples: [{ a: 1, b: "c" }] }, { examples: [{ a: "b" }] }, ""))
  },
  {
    name: "POST /v1/schemas/{id}/test",
    status: 200,
    prepare: Effect.fnUntraced(function*(send, key) {
      const { id } = (yield* send("POST", "/v1/schemas", { key, json: { name: "s", json_schema: { type: "object" } } }))
        .json
      return json(`/v1/schemas/${id}/test`, said("Four dollars."), said("Five dollars."), "/v1/jobs")
    })
  },
  {
    name: "POST /v1/jobs/estimate",
    status: 200,
    prepare: () => Effect.succeed(json("/v1/jobs/estimate", { duration_seconds: 60 }, { duration_seconds: 61 }, ""))
  }
]
