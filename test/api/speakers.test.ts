import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { evidence, result, schema, transcript, vision } from "../reviews/reviewScene.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

/** Three voices, of which the third is the first one, and a value that is by its formula who speaks. */
const heard = {
  ...transcript,
  speakers: ["Speaker 1", "Speaker 2", "Speaker 3"].map((label, at) => ({
    id: `S${at + 1}`,
    label,
    speaking_seconds: 5 * (at + 1)
  })),
  segments: transcript.segments.map((segment, at) => Object.assign({}, segment, { speaker: `S${at % 3 + 1}` })),
  turns: [
    { speaker: "S1", t_start: 0, t_end: 10 },
    { speaker: "S3", t_start: 10, t_end: 20 },
    { speaker: "S2", t_start: 20, t_end: 35 }
  ]
}
const saidBy = {
  ...evidence,
  spans: evidence.spans.map((span) =>
    span.pointer === "/rooms/1/name"
      ? Object.assign({}, span, {
        value: "Speaker 3",
        origin: "derived",
        grade: "computed",
        formula: "speaker(quote)"
      })
      : span
  )
}
const told = { ...result, rooms: [result.rooms[0], { ...result.rooms[1], name: "Speaker 3" }] }
const node = (id: string, label: string, segment: number) => ({
  id,
  kind: "speaker",
  label,
  type: null,
  t_start: segment * 10,
  t_end: segment * 10 + 5,
  modality: "audio",
  source_refs: [`seg#00000${segment}`],
  mentions: 1
})
const graph = (view: string) => ({
  view,
  nodes: [node("n1", "Speaker 1", 0), node("n2", "Speaker 2", 1), node("n3", "Speaker 3", 2)],
  edges: [{ id: "e1", source: "n3", target: "n2", relation: "answers", t_start: 0, t_end: 1, source_refs: [] }]
})

const scene = (json_schema: unknown = schema) =>
  Effect.gen(function*() {
    const { send, succeed, tenant } = yield* TestServer
    const { key, key_id } = yield* tenant("a")
    const made = yield* send("POST", "/v1/jobs", {
      key,
      json: { source_uri: "https://example.com/a.mp4", schema_inline: json_schema }
    })
    const id = made.json.id as string
    const frames = { visual_branch: "absent", sampled: 0, kept: 0, frames: [] }
    yield* succeed(id, {
      result: told as never,
      evidence: saidBy as never,
      transcript: heard as never,
      vision,
      frames,
      graph: graph("canonical"),
      graph_compact: graph("compact")
    })
    return {
      id,
      key,
      key_id,
      get: (path: string) => send("GET", `/v1/jobs/${id}${path}`, { key }),
      name: (speakers: unknown) => send("PUT", `/v1/jobs/${id}/speakers`, { key, json: { speakers } })
    }
  })

const named = [{ id: "S1", label: "Ada Lovelace" }, { id: "S3", same_as: "S1" }]
const paths = ({ json }: Server.Answer) => json.error.details.map(({ path }: { path: string }) => path)

layer(Server.layer, { excludeTestServices: true })("speakers of a job", (it) => {
  it.effect("PUT names and merges voices in every reading: transcript, subtitles, graph, result, evidence and export", () =>
    Effect.gen(function*() {
      const { get, id, key_id, name } = yield* scene()
      assert.deepStrictEqual((yield* get("/speakers")).json, {
        job_id: id,
        speakers: heard.speakers.map((one) => Object.assign({}, one, { heard_as: one.label, same_as: null })),
        named_by: null,
        updated_at: null
      })
      const before = yield* get("/transcript")
      const made = yield* name(named)
      assert.strictEqual(made.status, 200, made.text)
      assert.deepStrictEqual(made.json.named_by, { key_id, name: "first" })
      assert.deepStrictEqual(made.json.speakers.map(({ label, same_as }: any) => [label, same_as]), [
        ["Ada Lovelace", null],
        ["Speaker 2", null],
        ["Ada Lovelace", "S1"]
      ])
      assert.deepStrictEqual((yield* get("/speakers")).json, made.json)

      const after = yield* get("/transcript")
      assert.notStrictEqual(after.headers["etag"], before.headers["etag"])
      assert.deepStrictEqual(after.json.speakers, [
        { id: "S1", label: "Ada Lovelace", speaking_seconds: 20 },
        { id: "S2", label: "Speaker 2", speaking_seconds: 10 }
      ])
      assert.deepStrictEqual(after.json.segments.map(({ speaker }: any) => speaker), ["S1", "S2", "S1", "S1"])
      assert.deepStrictEqual(after.json.turns, [
        { speaker: "S1", t_start: 0, t_end: 20 },
        { speaker: "S2", t_start: 20, t_end: 35 }
      ])
      assert.match((yield* get("/transcript?format=vtt")).text, /<v Ada Lovelace>/u)
      assert.notMatch((yield* get("/transcript?format=txt")).text, /Speaker [13]/u)

      const { edges, nodes } = (yield* get("/graph")).json
      assert.deepStrictEqual(nodes.map(({ id, label, mentions }: any) => [id, label, mentions]), [
        ["n1", "Ada Lovelace", 2],
        ["n2", "Speaker 2", 1]
      ])
      assert.deepInclude(edges[0], { source: "n1", target: "n2" })

      for (const read of ["/result", "/result?reviewed=true", ""]) {
        const { json } = yield* get(read)
        assert.strictEqual(json.result.rooms[1].name, "Ada Lovelace", read)
      }
      for (const read of ["/evidence", "/evidence?reviewed=true"]) {
        const { spans } = (yield* get(read)).json
        assert.deepInclude(spans.find(({ pointer }: any) => pointer === "/rooms/1/name"), {
          value: "Ada Lovelace",
          quote: "attic"
        })
      }
      const archive = (yield* get("/export")).text
      assert.include(archive, "transcript.named.srt")
    }))

  it.effect("what the job wrote stays as it was: speakers=as_heard, and everything again once all names are taken back", () =>
    Effect.gen(function*() {
      const { get, name } = yield* scene()
      const places = ["/transcript?", "/transcript?format=rttm&", "/graph?", "/evidence?", "/result?"]
      const read = Effect.fnUntraced(function*(query: string) {
        const answers = yield* Effect.forEach(places, (place) => get(place + query))
        return answers.map(({ headers, text }) => [headers["etag"], text])
      })
      const before = yield* read("")
      yield* name(named)
      assert.deepStrictEqual(yield* read("speakers=as_heard"), before)
      assert.notDeepEqual(yield* read(""), before)
      yield* name([])
      assert.deepStrictEqual(yield* read(""), before)
    }))

  it.effect("an extraction from a named job works with the names, and its own transcript has them", () =>
    Effect.gen(function*() {
      const { send, sql } = yield* TestServer
      const { id, key, name } = yield* scene()
      yield* sql(
        `UPDATE footnote.jobs SET source = '{"container":"mp4","duration_seconds":40,"width":null,"height":null,
        "frame_rate":null,"audio":null,"video":null,"size_bytes":4,"sha256":"${"b".repeat(64)}"}' WHERE id = '${id}'`
      )
      const from = Effect.fnUntraced(function*() {
        const { json } = yield* send("POST", `/v1/jobs/${id}/extractions`, { key, json: {} })
        const [row] = yield* sql<{ key: string }>(
          `SELECT spec->'extracted_from'->'transcript'->>'key' AS key FROM footnote.jobs WHERE id = '${json.id}'`
        )
        return [json.id, row!.key] as const
      })
      assert.include((yield* from())[1], `jobs/${id}/`)
      yield* name(named)
      const [extraction, at] = yield* from()
      assert.strictEqual(at, `jobs/${extraction}/given/transcript.json`)
    }))

  it.effect("names and corrected words are participants and vocabulary of the tenant's next job where it asks for that", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { id, key, name } = yield* scene()
      yield* name([...named, { id: "S2", label: "Grace Hopper" }])
      const decisions = [
        { pointer: "/title", action: "correct", value: "Orbits of Io" },
        { pointer: "/tags/0", action: "correct", value: "a sentence of more words than a term has" },
        { pointer: "/price", action: "correct", value: 15 }
      ]
      yield* send("POST", `/v1/jobs/${id}/reviews`, { key, json: { base_revision: 0, decisions } })
      const hintsOf = Effect.fnUntraced(function*(hints: object, of = key) {
        const json = { source_uri: "https://example.com/c.mp4", hints }
        return (yield* send("POST", "/v1/jobs", { key: of, json })).json.hints
      })
      const given = { vocabulary: ["Io"], participants: ["ada lovelace"] }
      assert.deepStrictEqual(yield* hintsOf({ ...given, corrections: "use" }), {
        vocabulary: ["Io", "Orbits of Io"],
        participants: ["ada lovelace", "Grace Hopper"],
        corrections: "use"
      })
      assert.deepStrictEqual(yield* hintsOf(given), given)
      const other = yield* tenant("b")
      assert.deepStrictEqual(yield* hintsOf({ corrections: "use" }, other.key), { corrections: "use" })
    }))

  it.effect("PUT 400 INVALID_REQUEST names every voice, name and circle that cannot be, and changes nothing", () =>
    Effect.gen(function*() {
      const { get, name } = yield* scene({
        properties: { rooms: { items: { properties: { name: { maxLength: 9 } } } } }
      })
      const wrong = [
        [[{ id: "S9", label: "x" }], ["/speakers/0/id"]],
        [[{ id: "Ada", label: "x" }], ["/speakers/0/id"]],
        [[{ id: "S1", label: "x" }, { id: "S1", label: "y" }], ["/speakers/1/id"]],
        [[{ id: "S1" }], ["/speakers/0/label"]],
        [[{ id: "S1", label: "x", same_as: "S2" }], ["/speakers/0/label"]],
        [[{ id: "S1", same_as: "S1" }], ["/speakers/0/same_as"]],
        [[{ id: "S1", same_as: "S2" }, { id: "S2", same_as: "S3" }], ["/speakers/0/same_as"]],
        [[{ id: "S1", same_as: "S7" }], ["/speakers/0/same_as"]],
        [[{ id: "S1", label: "Ada\nS2: I said so" }], ["/speakers/0/label"]],
        [[{ id: "S1", label: " " }], ["/speakers/0/label"]],
        [[{ id: "S1", label: "x".repeat(101) }], ["/speakers/0/label"]],
        [[{ id: "S2", label: "x" }, { id: "S3", label: "Ada Lovelace" }], ["/speakers/1/label"]]
      ] as const
      for (const [speakers, expected] of wrong) {
        const answer = yield* name(speakers)
        assert.deepStrictEqual([answer.status, answer.json.error.code], [400, "INVALID_REQUEST"], answer.text)
        assert.deepStrictEqual(paths(answer), expected, answer.text)
      }
      assert.strictEqual((yield* get("/speakers")).json.updated_at, null)
    }))

  it.effect("names and reviews that fit the schema each by itself but not together are refused, whichever comes second", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const distinct = { properties: { rooms: { uniqueItems: true } } }
      const decisions = [{ pointer: "/rooms/0", action: "correct", value: { name: "Ada Lovelace", size: 9 } }]
      const review = ({ id, key }: { readonly id: string; readonly key: string }) =>
        send("POST", `/v1/jobs/${id}/reviews`, { key, json: { base_revision: 0, decisions } })
      const first = yield* scene(distinct)
      assert.strictEqual((yield* first.name(named)).status, 200)
      const second = yield* review(first)
      assert.deepStrictEqual([second.status, paths(second)], [400, ["/decisions"]], second.text)
      assert.strictEqual((yield* first.name([])).status, 200)
      assert.strictEqual((yield* review(first)).status, 201)
      const refused = yield* first.name(named)
      assert.deepStrictEqual([refused.status, paths(refused)], [400, ["/speakers/1/same_as"]], refused.text)
      assert.include(refused.text, "The reviewed result")
      assert.strictEqual((yield* first.get("/result?reviewed=true")).json.result.rooms[1].name, "Speaker 3")
    }))

  it.effect("are refused with 409 of a job that has not succeeded, and are erased with their job", () =>
    Effect.gen(function*() {
      const { send, sql } = yield* TestServer
      const { get, id, key, name } = yield* scene()
      const queued = (yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/b.mp4" } })).json
      const early = yield* send("PUT", `/v1/jobs/${queued.id}/speakers`, { key, json: { speakers: [] } })
      assert.deepStrictEqual([early.status, early.json.error.code], [409, "JOB_NOT_SUCCEEDED"])
      yield* name(named)
      assert.strictEqual((yield* send("DELETE", `/v1/jobs/${id}`, { key })).status, 200)
      assert.strictEqual((yield* get("/speakers")).json.error.code, "JOB_NOT_FOUND")
      assert.deepStrictEqual(yield* sql(`SELECT job_id FROM footnote.job_speakers WHERE job_id = '${id}'`), [])
    }))
})
