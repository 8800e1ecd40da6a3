import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { stageNames } from "../../src/jobs/model/Pipeline.ts"
import { findMediaTools } from "../../workers/media/ffmpeg/Ffmpeg.ts"
import { deployment } from "../support/Deployment.ts"
import { otlpSink, type SeenSpan } from "../support/OtlpSink.ts"
import { receiver } from "../support/Receiver.ts"

const sample = fileURLToPath(new URL("../../samples/lecture.mp4", import.meta.url))
const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
const caller = "00f067aa0ba902b7"
const request_id = "from-the-caller:1"

const ours = (spans: ReadonlyArray<SeenSpan>) => spans.filter(({ traceId }) => traceId === trace)

const submit = (base_url: string, api_key: string, body: unknown) =>
  fetch(`${base_url}/v1/jobs`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${api_key}`,
      "content-type": "application/json",
      "x-request-id": request_id,
      traceparent: `00-${trace}-${caller}-01`
    },
    body: JSON.stringify(body)
  })

it.live(
  "one job is one trace, from the caller's own span through every stage to the delivery, with its request id",
  () =>
    Effect.gen(function*() {
      const sink = yield* otlpSink
      const hook = yield* receiver({ status: 200 })
      const { api_key, base_url, client, folder } = yield* deployment({
        env: {
          OTEL_EXPORTER_OTLP_ENDPOINT: sink.endpoint,
          SOURCE_ALLOW_PRIVATE: "127.0.0.0/8",
          SOURCE_ALLOW_PORTS: new URL(hook.url).port
        }
      })
      const { ffmpeg } = yield* findMediaTools
      const file = join(folder, "short.mp4")
      // Twelve seconds of it have everything that a stage can be about, but for captions.
      assert.strictEqual(spawnSync(ffmpeg, ["-i", sample, "-t", "12", "-c", "copy", file]).status, 0)
      const source_uri = yield* Effect.orDie(client.upload(file))
      const answer = yield* Effect.promise(() => submit(base_url, api_key, { source_uri, webhook_url: hook.url }))
      assert.strictEqual(answer.status, 201)
      assert.strictEqual(answer.headers.get("x-request-id"), request_id)
      const { id } = (yield* Effect.promise(() => answer.json())) as { readonly id: string }
      yield* hook.first
      // Two processes tell what they did, each when it likes.
      const last = ["stage.extract", "deliver"]
      const spans = ours(
        yield* sink.until((seen) => last.every((name) => ours(seen).some((span) => span.name === name)))
      )

      const job = (yield* Effect.orDie(client.json(`/v1/jobs/${id}`))) as {
        readonly status: string
        readonly progress: { readonly stages: ReadonlyArray<{ readonly name: string; readonly status: string }> }
      }
      assert.strictEqual(job.status, "succeeded")
      const ran = job.progress.stages.filter(({ status }) => status === "done").map(({ name }) => `stage.${name}`)
      assert.isAtLeast(ran.length, stageNames.length - 1)
      const work = spans.filter(({ name }) => name === "deliver" || name.startsWith("stage."))
      assert.includeMembers(work.map(({ name }) => name), [...ran, "deliver"])
      assert.deepStrictEqual([...new Set(work.map(({ service }) => service))], ["footnote-worker"])

      // What the model processes did is in it too, each below the stage that asked.
      const modelled = ["model.vad", "model.asr", "model.speaker", "model.ocr"]
      const computed = spans.filter(({ name }) => name.startsWith("compute.") || name.startsWith("model."))
      assert.includeMembers(computed.map(({ name }) => name), [
        ...modelled,
        "compute.detect_speech",
        "compute.transcribe",
        "compute.describe",
        "compute.diarize",
        "compute.extract"
      ])
      for (const span of computed.filter(({ name }) => modelled.includes(name))) {
        assert.isAbove(Number(span.attributes["model.runs"]), 0, span.name)
        assert.isAbove(Number(span.attributes["model.seconds"]), 0, span.name)
        assert.isAtLeast(Number(span.attributes["model.batch_size"]), 1, span.name)
        assert.isNotEmpty(span.attributes["model.name"], span.name)
      }

      // Up from every span by its parents one comes to the request, and from there to the caller's span.
      const byId = new Map(spans.map((span) => [span.spanId, span]))
      for (const span of [...work, ...computed]) {
        assert.strictEqual(span.attributes["footnote.request_id"], request_id, span.name)
        assert.strictEqual(span.attributes["footnote.job_id"], id, span.name)
        const path: Array<SeenSpan> = []
        for (let up: SeenSpan | undefined = span; up !== undefined; up = byId.get(up.parentSpanId ?? "")) path.push(up)
        const root = path.at(-1)!
        assert.strictEqual(root.service, "footnote-api", path.map(({ name }) => name).join(" < "))
        assert.strictEqual(root.parentSpanId, caller)
        assert.strictEqual(root.attributes["footnote.request_id"], request_id)
      }
      assert.strictEqual(hook.received[0]?.headers["x-request-id"], request_id)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  300_000
)
