import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { RenditionWait } from "../../src/media/Renditions.ts"
import { type Belongings, belongings, type Kind } from "../support/Belongings.ts"
import { breadth } from "../support/Breadth.ts"
import { type IdPlace, idPlaces } from "../support/IdPlaces.ts"
import { type Answer, type Call, TestServer } from "../support/TestServer.ts"
import { bodies, queries } from "./IsolationRequests.ts"

/** How an id is sent to a place, and what an id is answered with that names nothing. */
interface Fixture {
  readonly kind: Kind
  readonly send: (id: string, own: Belongings) => { readonly path: string; readonly call?: Call }
  /** In the answer to an id that names nothing. */
  readonly unknown: RegExp
  /**
   * The answer to one's own thing that is deleted: as to an unknown one, or, where a repetition is idempotent, as at first,
   * or what was kept of it.
   */
  readonly gone?: "again" | "kept"
  /** The answer for a job that has not ended, the first of the kind, does not end either. */
  readonly endless?: boolean
}

const kinds: Readonly<Record<string, Kind>> = {
  "jobs": "job",
  "batches": "bat",
  "uploads": "upl",
  "schemas": "sch",
  "api-keys": "key",
  "destinations": "dst",
  "deliveries": "dlv",
  "exports": "exp"
}

const notFound: Readonly<Record<Kind, RegExp>> = {
  job: /"JOB_NOT_FOUND"/u,
  bat: /"BATCH_NOT_FOUND"/u,
  upl: /"UPLOAD_NOT_FOUND"/u,
  sch: /"SCHEMA_NOT_FOUND"/u,
  key: /"API_KEY_NOT_FOUND"/u,
  dst: /"DESTINATION_NOT_FOUND"/u,
  dlv: /"DELIVERY_NOT_FOUND"/u,
  exp: /"EXPORT_NOT_FOUND"/u,
  rev: /"REVIEW_NOT_FOUND"/u
}

const againRoutes = new Set([
  "DELETE /v1/jobs/{id}",
  "DELETE /v1/schemas/{id}",
  "DELETE /v1/destinations/{id}",
  "DELETE /v1/exports/{id}",
  "DELETE /v1/uploads/{id}"
])

/** An id in the path needs no fixture but the body of its route; its collection tells its kind. */
const inPath = ({ method, path }: IdPlace): Fixture | undefined => {
  const kind = kinds[/^\/v1\/([^/]+)\/\{id\}/u.exec(path)?.[1] ?? ""]
  const route = `${method} ${path}`
  return kind === undefined ? undefined : {
    kind,
    send: (id, own) => ({
      path: path.replace("{id}", id).replace("{frame_id}", "frm_000000").replace("{review_id}", own.ids.rev[0]!)
        + (queries[route] ?? ""),
      call: bodies[route]?.(own) ?? {}
    }),
    unknown: notFound[kind],
    endless: path.endsWith("/events"),
    ...(againRoutes.has(route) ? { gone: "again" } : {})
  }
}

const source_uri = "https://example.com/talk.mp4"
const cursor = (id: string) => Buffer.from(id, "latin1").toString("base64url")
const nothing = /^\{"data":\[\]/u

const inBody = (kind: Kind, path: string, json: (id: string) => unknown, unknown: RegExp): Fixture => ({
  kind,
  send: (id) => ({ path, call: { json: json(id) } }),
  unknown
})
const inQuery = (kind: Kind, path: string, parameter: string, unknown: RegExp): Fixture => ({
  kind,
  send: (id) => ({ path: `${path}?${parameter}=${parameter === "cursor" ? cursor(id) : id}` }),
  unknown
})

/** Ids that stand elsewhere. */
const fixtures: Readonly<Record<string, Fixture>> = {
  "POST /v1/jobs body.source_uri": inBody(
    "upl",
    "/v1/jobs",
    (id) => ({ source_uri: `upload://${id}` }),
    /"SOURCE_BLOCKED"/u
  ),
  "POST /v1/jobs body.schema_id": inBody(
    "sch",
    "/v1/jobs",
    (id) => ({ source_uri, schema_id: id }),
    notFound.sch
  ),
  "POST /v1/jobs body.destination_ids": inBody(
    "dst",
    "/v1/jobs",
    (id) => ({ source_uri, destination_ids: [id] }),
    notFound.dst
  ),
  "POST /v1/jobs/batch body.jobs[].source_uri": inBody(
    "upl",
    "/v1/jobs/batch",
    (id) => ({ jobs: [{ source_uri: `upload://${id}` }] }),
    /"SOURCE_BLOCKED"/u
  ),
  "POST /v1/jobs/batch body.jobs[].schema_id": inBody(
    "sch",
    "/v1/jobs/batch",
    (id) => ({ jobs: [{ source_uri, schema_id: id }] }),
    notFound.sch
  ),
  "POST /v1/jobs/batch body.jobs[].destination_ids": inBody(
    "dst",
    "/v1/jobs/batch",
    (id) => ({ jobs: [{ source_uri, destination_ids: [id] }] }),
    notFound.dst
  ),
  "PATCH /v1/settings body.default_destination_ids": inBody(
    "dst",
    "/v1/settings",
    (id) => ({ default_destination_ids: [id] }),
    notFound.dst
  ),
  "POST /v1/jobs/estimate body.source_uri": inBody(
    "upl",
    "/v1/jobs/estimate",
    (id) => ({ source_uri: `upload://${id}` }),
    /"SOURCE_BLOCKED"/u
  ),
  "POST /v1/jobs/{id}/deliveries body.destination_id": {
    kind: "dst",
    send: (id, { ids }) => ({ path: `/v1/jobs/${ids.job[2]}/deliveries`, call: { json: { destination_id: id } } }),
    unknown: notFound.dst
  },
  "POST /v1/schemas/{id}/test body.job_id": {
    kind: "job",
    send: (id, { ids }) => ({
      path: `/v1/schemas/${ids.sch[0]}/test`,
      call: { json: { job_id: id, wait_seconds: 0 } }
    }),
    unknown: notFound.job
  },
  "POST /v1/jobs/{id}/extractions body.schema_id": {
    kind: "sch",
    send: (id, { ids }) => ({ path: `/v1/jobs/${ids.job[2]}/extractions`, call: { json: { schema_id: id } } }),
    unknown: notFound.sch
  },
  "POST /v1/jobs/{id}/extractions body.destination_ids": {
    kind: "dst",
    send: (id, { ids }) => ({ path: `/v1/jobs/${ids.job[2]}/extractions`, call: { json: { destination_ids: [id] } } }),
    unknown: notFound.dst
  },
  "GET /v1/jobs/{id}/reviews/{review_id} path.review_id": {
    kind: "rev",
    send: (id, { ids }) => ({ path: `/v1/jobs/${ids.job[2]}/reviews/${id}` }),
    unknown: notFound.rev
  },
  "GET /v1/jobs/{id}/reviews query.cursor": {
    kind: "rev",
    send: (id, { ids }) => ({ path: `/v1/jobs/${ids.job[2]}/reviews?cursor=${cursor(id)}` }),
    unknown: /"data":\[/u
  },
  "GET /v1/jobs/{id}/deliveries query.cursor": {
    kind: "dlv",
    send: (id, { ids }) => ({ path: `/v1/jobs/${ids.job[2]}/deliveries?cursor=${cursor(id)}` }),
    unknown: /"data":\[/u
  },
  // What was delivered stays on record.
  "GET /v1/deliveries query.job_id": { ...inQuery("job", "/v1/deliveries", "job_id", nothing), gone: "kept" },
  "GET /v1/deliveries query.destination_id": inQuery("dst", "/v1/deliveries", "destination_id", nothing),
  "POST /v1/exports body.schema_id": inBody("sch", "/v1/exports", (id) => ({ schema_id: id }), notFound.sch),
  "GET /v1/exports query.cursor": inQuery("exp", "/v1/exports", "cursor", /"data":\[/u),
  "GET /v1/exports/{id}/content query.cursor": {
    kind: "job",
    send: (id, { ids }) => ({ path: `/v1/exports/${ids.exp[0]}/content?cursor=${cursor(id)}` }),
    unknown: /Not a cursor of this/u,
    gone: "kept"
  },
  "GET /v1/jobs query.cursor": inQuery("job", "/v1/jobs", "cursor", /"data":\[/u),
  "GET /v1/uploads query.cursor": inQuery("upl", "/v1/uploads", "cursor", /"data":\[/u),
  "GET /v1/jobs query.schema_id": inQuery("sch", "/v1/jobs", "schema_id", nothing),
  "GET /v1/jobs query.batch_id": inQuery("bat", "/v1/jobs", "batch_id", nothing),
  "GET /v1/batches query.cursor": inQuery("bat", "/v1/batches", "cursor", /"data":\[/u),
  "GET /v1/schemas query.cursor": inQuery("sch", "/v1/schemas", "cursor", /"data":\[/u),
  "GET /v1/api-keys query.cursor": inQuery("key", "/v1/api-keys", "cursor", /"data":\[/u),
  "GET /v1/destinations query.cursor": inQuery("dst", "/v1/destinations", "cursor", /"data":\[/u),
  "GET /v1/deliveries query.cursor": inQuery("dlv", "/v1/deliveries", "cursor", /"data":\[/u)
}

/**
 * What names nothing of a tenant's: frames have numbers that every job has, a config the ids of other services, an estimate takes
 * the body of a creation without a look at its schema and destinations, and jobs are listed by the text of an address.
 */
const namesNothingOfOurs = ({ path, where }: IdPlace) =>
  where === "path.frame_id" || where.startsWith("body.config.") || where === "body.speakers[].id"
  || (path === "/v1/jobs" && where === "query.source_uri")
  || (path === "/v1/jobs/estimate" && (where === "body.schema_id" || where === "body.destination_ids"))

const nameOf = ({ method, path, where }: IdPlace) => `${method} ${path} ${where}`
const fixtureOf = (place: IdPlace) => place.where === "path.id" ? inPath(place) : fixtures[nameOf(place)]

/** An id that nobody has, beside one that somebody has: a cursor cannot tell them apart by their order. */
const neighbour = (id: string) => `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`

const malformed = (
  kind: Kind
) => ["nonsense", `${kind}_`, `${kind}_%00`, "%F0%9F%8E%AC", `${kind}_1%27--`, "..%2f..%2fjobs"]

/** All that a caller can see of an answer, with the id that it sent left out wherever it is echoed. */
const seen = (answer: Answer, id: string) => {
  const { "connection": _, "date": __, ...headers } = answer.headers
  // A batch is made whatever becomes of its items.
  const made = /^\{"id":"(bat_[0-9a-z]+)"/u.exec(answer.text)?.[1] ?? id
  const shown = (text: string) => text.replaceAll(id, "<id>").replaceAll(made, "<batch>")
  const location = headers["location"]
  return {
    status: answer.status,
    headers: location === undefined ? headers : { ...headers, location: shown(location) },
    text: shown(answer.text)
  }
}

const snapshot = Effect.fnUntraced(function*({ ids, tenant: { key } }: Belongings) {
  const { send } = yield* TestServer
  const paths = Object.entries(kinds).flatMap(([collection, kind]) =>
    [`/v1/${collection}?limit=100`]
      .concat(collection === "api-keys" ? [] : ids[kind].map((id) => `/v1/${collection}/${id}`))
  )
  const answers = yield* Effect.forEach(
    [...paths, `/v1/jobs/${ids.job[2]}/deliveries`],
    (path) => send("GET", path, { key })
  )
  return answers.map(({ status, text }) => ({
    status,
    text: text.replaceAll(/"last_used_at":"[^"]+"/gu, "")
  }))
})

const owners = Effect.gen(function*() {
  const of = yield* belongings("owner")
  return { of, before: yield* snapshot(of), reader: yield* belongings("asker") }
})

/**
 * `of`: what another tenant has, made once; that it is unchanged in the end is a guarantee of its own. `reader`: what a
 * tenant has that only reads.
 */
class Others
  extends Context.Service<Others, Effect.Success<typeof owners>>()("footnote/test/guarantees/isolationSuite/Others")
{
  static readonly layer = Layer.effect(Others, owners)
}

/** One tenant and everything that another one has, over this server. */
export const isolationSuite = <E>(name: string, Server: Layer.Layer<TestServer, E>) => {
  // No worker runs here that would make a clip.
  const Scene = Layer.provideMerge(Others.layer, Server.pipe(Layer.provide(Layer.succeed(RenditionWait, "50 millis"))))

  layer(Scene, { excludeTestServices: true })(name, (it) => {
    it.effect("knows every place in the API where an id can stand", () =>
      Effect.sync(() => {
        assert.isAbove(idPlaces.length, 40)
        const missing = idPlaces.filter((place) => fixtureOf(place) === undefined && !namesNothingOfOurs(place))
        assert.deepStrictEqual(missing.map(nameOf), [])
        const names = new Set(idPlaces.map(nameOf))
        assert.deepStrictEqual(Object.keys(fixtures).filter((fixture) => !names.has(fixture)), [])
      }))

    for (const place of idPlaces) {
      const fixture = fixtureOf(place)
      if (fixture === undefined) continue
      const { endless = false, gone, kind, send: request, unknown } = fixture
      const method = place.method as "GET"
      it.effect(`${nameOf(place)}: another tenant's id, its deleted one and an unknown one are one answer, to the byte`, () =>
        Effect.gen(function*() {
          const { send } = yield* TestServer
          const { of: theirs, reader } = yield* Others
          // What only makes something new leaves what the asker has as it is.
          const mine = method === "GET" || place.where.startsWith("body.") ? reader : yield* belongings("asker")
          const ask = (id: string, headers: Readonly<Record<string, string>> = {}, as = method) => {
            const { call, path } = request(id, mine)
            const all = { ...call?.headers, ...headers, "x-request-id": "same" }
            return Effect.map(send(as, path, { ...call, key: mine.tenant.key, headers: all }), (answer) => ({
              ...answer,
              seen: seen(answer, id)
            }))
          }

          const existing = [...theirs.ids[kind], ...(theirs.gone[kind] === undefined ? [] : [theirs.gone[kind]])]
          for (const id of existing) {
            const ofNobody = yield* ask(neighbour(id))
            assert.match(ofNobody.text, unknown)
            assert.deepStrictEqual((yield* ask(id)).seen, ofNobody.seen, id)
          }
          if (method === "GET") {
            const known = existing[endless ? 1 : 0]!
            const owned = yield* send("GET", request(known, theirs).path, { key: theirs.tenant.key })
            const conditions = [
              { "if-none-match": owned.headers["etag"] ?? "\"none\"" },
              {},
              { accept: "text/event-stream", "last-event-id": "1" },
              { "if-none-match": "*" },
              { range: "bytes=0-1" }
            ]
            for (const headers of breadth<Readonly<Record<string, string>>>(conditions)) {
              for (const as of ["GET", "HEAD"] as ReadonlyArray<"GET">) {
                assert.deepStrictEqual(
                  (yield* ask(known, headers, as)).seen,
                  (yield* ask(neighbour(known), headers, as)).seen,
                  `${as} ${JSON.stringify(headers)}`
                )
              }
            }
          }

          const nobody = yield* ask(neighbour(mine.ids[kind][0]!))
          for (const id of breadth(malformed(kind))) {
            // A place in a list is no id, and no parameter may hold a NUL character.
            if (place.where === "query.cursor" || (place.where.startsWith("query.") && id.includes("%00"))) continue
            const answer = yield* ask(id)
            assert.strictEqual(answer.status, nobody.status, `${id}: ${answer.text}`)
            assert.strictEqual(answer.json?.error?.code, nobody.json?.error?.code, id)
          }

          // Without this, a route that finds nothing at all would pass.
          const own = yield* Effect.forEach(mine.ids[kind].slice(endless ? 1 : 0), (id) => ask(id))
          if (place.where !== "query.cursor") {
            assert.isTrue(own.some((answer) => !unknown.test(answer.text)), own.map(({ text }) => text).join("\n"))
          }
          if (mine.gone[kind] !== undefined) {
            const answer = yield* ask(mine.gone[kind])
            if (gone !== undefined) assert.strictEqual(answer.status, 200)
            else assert.deepStrictEqual(answer.seen, (yield* ask(neighbour(mine.gone[kind]))).seen)
          }
        }))
    }

    it.effect("lists show nothing of another tenant, whatever cursor or filter is sent", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { of: theirs } = yield* Others
        const mine = yield* belongings("asker")
        const foreign = Object.values(theirs.ids).flat()
        for (const [collection, kind] of Object.entries(kinds)) {
          for (const last of [undefined, `${kind}_7zzzzzzzzzzzzzzzzzzzzzzzzz`, theirs.ids[kind][0]!]) {
            const at = last === undefined ? "" : `&cursor=${cursor(last)}`
            const answer = yield* send("GET", `/v1/${collection}?limit=100${at}`, { key: mine.tenant.key })
            assert.strictEqual(answer.status, 200, answer.text)
            for (const id of foreign) assert.notInclude(answer.text, id)
            if (last === undefined) { for (const id of mine.ids[kind]) assert.include(answer.text, id) }
          }
        }
      }))

    it.effect("an idempotency key that another tenant has used is a first use", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { of: theirs } = yield* Others
        const mine = yield* belongings("asker")
        const call = (key: string, uri: string) =>
          send("POST", "/v1/jobs", { key, json: { source_uri: uri }, headers: { "idempotency-key": "ours" } })
        const first = yield* call(theirs.tenant.key, source_uri)
        assert.strictEqual((yield* call(theirs.tenant.key, source_uri)).json.id, first.json.id)
        const other = yield* call(mine.tenant.key, "https://example.com/another.mp4")
        assert.strictEqual(other.status, 201)
        yield* send(
          "DELETE",
          `/v1/jobs/${(yield* send("POST", `/v1/jobs/${first.json.id}/cancel`, theirs.tenant)).json.id}`,
          {
            key: theirs.tenant.key
          }
        )
      }))

    it.effect("nothing that another tenant has is changed by all these requests", () =>
      Effect.gen(function*() {
        const { before, of } = yield* Others
        assert.deepStrictEqual(yield* snapshot(of), before)
      }))
  })
}
