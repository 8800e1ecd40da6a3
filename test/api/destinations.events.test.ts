import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { DeliveryQueue } from "../../src/deliveries/queue/DeliveryQueue.ts"
import type { TenantId } from "../../src/identity/Id.ts"
import * as Scene from "../support/DeliveryScene.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const source_uri = "https://example.com/talks/Week%203.mp4"

/** Ends a job as the engine does, and answers the kinds of events that its destinations are sent. */
const toldOf = Effect.fnUntraced(
  function*(events: ReadonlyArray<string> | undefined, status: "succeeded" | "failed" | "cancelled") {
    const { call } = yield* Scene.setting({ status: 200 })
    const { json: destination } = yield* call("POST", "/v1/destinations", {
      name: "hook",
      type: "webhook",
      config: { url: "https://example.com/hook" },
      ...(events === undefined ? {} : { events })
    })
    const { json: job } = yield* call("POST", "/v1/jobs", { source_uri, destination_ids: [destination.id] })
    const { enqueue } = yield* DeliveryQueue
    yield* enqueue({ id: job.id, tenant_id: yield* tenantOf(job.id), weight: 1 }, status)
    const { json } = yield* call("GET", `/v1/jobs/${job.id}/deliveries`)
    return json.data.map(({ event_type }: { readonly event_type: string }) => event_type)
  }
)

const tenantOf = (job_id: string) =>
  Effect.map(
    Scene.rows<{ readonly tenant_id: TenantId }>(`SELECT tenant_id FROM footnote.jobs WHERE id = '${job_id}'`),
    ([row]) => row!.tenant_id
  )

layer(Scene.layer, { excludeTestServices: true })("events of a destination", (it) => {
  it.effect("are successes alone where nothing is asked for", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* toldOf(undefined, "succeeded"), ["job.succeeded"])
      assert.deepStrictEqual(yield* toldOf(undefined, "failed"), [])
      assert.deepStrictEqual(yield* toldOf(undefined, "cancelled"), [])
    }))

  it.effect("are those that it asks for, and no other", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* toldOf(["job.failed"], "failed"), ["job.failed"])
      assert.deepStrictEqual(yield* toldOf(["job.failed"], "succeeded"), [])
      assert.deepStrictEqual(yield* toldOf(["job.failed", "job.cancelled"], "cancelled"), ["job.cancelled"])
    }))

  it.effect("are shown, changed by PATCH, and refused where they are none", () =>
    Effect.gen(function*() {
      const { call, destination_id } = yield* Scene.setting({ status: 200 })
      const path = `/v1/destinations/${destination_id}`
      assert.deepStrictEqual((yield* call("GET", path)).json.events, ["job.succeeded"])
      const changed = yield* call("PATCH", path, { events: ["job.failed", "job.succeeded"] })
      assert.deepStrictEqual(changed.json.events, ["job.failed", "job.succeeded"])
      for (const events of [[], ["job.lost"], ["job.failed", "job.failed"]]) {
        const refused = yield* call("PATCH", path, { events })
        assert.deepStrictEqual([refused.status, refused.json.error.code], [400, "INVALID_REQUEST"])
      }
    }))
})

const span = {
  pointer: "/title",
  value: "Orbits",
  origin: "extracted",
  origin_channel: "asr",
  modality: "audio",
  t_start: 1,
  t_end: 2,
  source_ref: "seg#000001",
  quote: "Orbits",
  media_fragment: "#t=1,2",
  node_id: null,
  support: "verbatim",
  confidence: null,
  verified: true,
  corroborated_by: [],
  alternatives: [],
  grade: "stated",
  citations: [],
  checks: { quoted: true, derivable: true, answers: 0.9, judged_by: "rules" },
  proposed_by: "ranker"
}

const evidenceOf = (spans: ReadonlyArray<object>) => ({
  spans,
  unfilled: [],
  counts: { leaves: spans.length, filled: spans.length, verified: spans.length, unfilled: 0 }
})

layer(Scene.layer, { excludeTestServices: true })("the body of a webhook", (it) => {
  const sent = Effect.fnUntraced(function*(result: object, spans: ReadonlyArray<object>) {
    const { attempt, call, inbox, request, signing_secret } = yield* Scene.setting({ status: 200 })
    const { succeed } = yield* TestServer
    const { json: job } = yield* call("POST", "/v1/jobs", { source_uri })
    yield* succeed(job.id, { result: result as never, evidence: evidenceOf(spans) as never })
    yield* attempt((yield* request(job.id)).json.id)
    const [received] = inbox.received
    new Webhook(signing_secret as string).verify(received!.body, received!.headers as Record<string, string>)
    return JSON.parse(received!.body).data
  })

  describe("of a job that succeeded", () => {
    it.effect("has the evidence and the job's title beside the result", () =>
      Effect.gen(function*() {
        const data = yield* sent({ title: "Orbits" }, [span])
        assert.deepStrictEqual(data.evidence, evidenceOf([span]))
        assert.deepStrictEqual(data.job.result, { title: "Orbits" })
        assert.strictEqual(data.job.title, "Week 3.mp4")
        assert.notProperty(data, "evidence_url")
      }))

    it.effect("names where the evidence is where it would be over 1 MiB with it, and keeps the result", () =>
      Effect.gen(function*() {
        const data = yield* sent({ title: "Orbits" }, [{ ...span, quote: "x".repeat(1024 * 1024) }])
        assert.match(data.evidence_url, /\/v1\/jobs\/job_[0-9a-z]+\/evidence$/u)
        assert.notProperty(data, "evidence")
        assert.deepStrictEqual(data.job.result, { title: "Orbits" })
      }))

    it.effect("names where both are where the result alone is over 1 MiB", () =>
      Effect.gen(function*() {
        const data = yield* sent({ title: "x".repeat(1024 * 1024) }, [span])
        assert.match(data.result_url, /\/v1\/jobs\/job_[0-9a-z]+$/u)
        assert.isString(data.evidence_url)
        assert.notProperty(data.job, "result")
      }))
  })
})
