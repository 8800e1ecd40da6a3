import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { makeDeliveryPayloads } from "../../../workers/delivery/DeliveryPayloads.ts"
import { evidence, result, schema, transcript, vision } from "../../reviews/reviewScene.ts"
import * as Scene from "../../support/DeliveryScene.ts"
import { TestServer } from "../../support/TestServer.ts"

const jobWith = Effect.fnUntraced(function*(spans: typeof evidence) {
  const { send, succeed } = yield* TestServer
  const scene = yield* Scene.setting({ status: 204 })
  const { key } = scene
  const { json } = yield* send("POST", "/v1/jobs", {
    key,
    json: { source_uri: "https://example.com/talk.mp4", schema_inline: schema }
  })
  const id = json.id as string
  yield* succeed(id, { result, evidence: spans, transcript, vision })
  const review = (base_revision: number, price: number) =>
    send("POST", `/v1/jobs/${id}/reviews`, {
      key,
      json: { base_revision, decisions: [{ pointer: "/price", action: "correct", value: price }] }
    })
  const deliver = () =>
    scene.call("POST", `/v1/jobs/${id}/deliveries`, { destination_id: scene.destination_id, reviewed: true })
  return { ...scene, id, review, deliver }
})

const reviewedJob = jobWith(evidence)

/** The second room is called as whoever speaks of it. */
const bySpeaker = {
  ...evidence,
  spans: evidence.spans.map((span) =>
    span.pointer === "/rooms/1/name" ? Object.assign({}, span, { formula: "speaker(quote)" }) : span
  )
}

layer(Scene.layer, { excludeTestServices: true })("a reviewed result", (it) => {
  it.effect("is delivered as an event of its own, as it stood when it was asked for, the same on every attempt", () =>
    Effect.gen(function*() {
      const { attempt, call, deliver, id, inbox, request, review } = yield* reviewedJob
      const early = yield* deliver()
      assert.deepStrictEqual([early.status, early.json.error.code], [404, "REVIEW_NOT_FOUND"])
      const first = yield* review(0, 13)
      const asked = yield* deliver()
      assert.strictEqual(asked.status, 201, asked.text)
      assert.deepInclude(asked.json, { event_type: "job.reviewed", revision: 1 })
      yield* review(1, 14)
      const plain = yield* request(id)
      assert.deepInclude(plain.json, { event_type: "job.succeeded", revision: null })
      yield* attempt(asked.json.id)
      yield* attempt(plain.json.id)
      yield* call("POST", `/v1/deliveries/${asked.json.id}/retry`)
      yield* attempt(asked.json.id)
      const [sent, own, again] = inbox.received.map(({ body }) => JSON.parse(body))
      assert.strictEqual(sent.type, "job.reviewed")
      assert.deepStrictEqual(sent.data.job.result, { ...result, price: 13 })
      const { decisions: _, base_revision: __, job_id: ___, ...summary } = first.json
      assert.deepStrictEqual(sent.data.review, summary)
      const price = sent.data.evidence.spans.find(({ pointer }: { pointer: string }) => pointer === "/price")
      assert.deepInclude(price, { value: 13, origin: "person", revision: 1 })
      assert.deepStrictEqual([own.type, own.data.job.result, own.data.review], ["job.succeeded", result, undefined])
      assert.notStrictEqual(own.id, sent.id)
      assert.deepStrictEqual(again, sent)
    }))

  it.effect("is what every other kind of destination is handed, without evidence that is at no moment", () =>
    Effect.gen(function*() {
      const { id, review } = yield* reviewedJob
      yield* review(0, 13)
      const read = yield* makeDeliveryPayloads("https://footnote.test")
      const event = {
        delivery_id: "dlv_1",
        event_id: "evt_1",
        created_at: DateTime.toDateUtc(yield* DateTime.now),
        job_id: id
      }
      const [reviewed, own] = yield* Effect.forEach(
        [{ ...event, event_type: "job.reviewed", revision: 1 }, {
          ...event,
          event_type: "job.succeeded",
          revision: null
        }],
        (one) => read(one, false)
      )
      assert.deepStrictEqual(reviewed!.payload.result, { ...result, price: 13 })
      assert.deepStrictEqual(own!.payload.result, result)
      const pointers = reviewed!.payload.evidence.map(({ pointer }) => pointer)
      assert.deepStrictEqual(pointers, evidence.spans.map(({ pointer }) => pointer).filter((at) => at !== "/price"))
      assert.strictEqual(reviewed!.payload.links.result, `https://footnote.test/v1/jobs/${id}/result?reviewed=true`)
    }))

  it.effect("names its speakers as people have named them by then, to every kind of destination", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { attempt, id, inbox, key, request } = yield* jobWith(bySpeaker)
      const speakers = [{ id: "S1", label: "Grace" }]
      assert.strictEqual((yield* send("PUT", `/v1/jobs/${id}/speakers`, { key, json: { speakers } })).status, 200)
      yield* attempt((yield* request(id)).json.id)
      const named = { ...result, rooms: [result.rooms[0], { ...result.rooms[1], name: "Grace" }] }
      assert.deepStrictEqual(JSON.parse(inbox.received[0]!.body).data.job.result, named)
      const read = yield* makeDeliveryPayloads("https://footnote.test")
      const created_at = DateTime.toDateUtc(yield* DateTime.now)
      const event = { delivery_id: "dlv_1", event_id: "evt_1", event_type: "job.succeeded", revision: null, created_at }
      const { payload } = (yield* read({ ...event, job_id: id }, false))!
      assert.deepStrictEqual<unknown>(payload.result, named)
      const room = payload.evidence.find(({ pointer }) => pointer === "/rooms/1/name")
      assert.deepInclude(room, { value: "Grace", quote: "attic" })
    }))
})
