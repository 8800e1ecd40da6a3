import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { artifactsOf, deployment, finished, submit, temporaryFolder } from "../support/Deployment.ts"
import { shortClip } from "../support/ShortClip.ts"

const models = ["speech", "vision", "extraction"] as const

describe("the same clip again", () => {
  it.live(
    "gives byte-equal artifacts and result, with one worker of each kind and with two",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const sample = yield* shortClip(yield* temporaryFolder, 30, "product-demo")
        const body = { schema_id: "sch_template_product_demo" }
        const one = yield* Effect.scoped(Effect.gen(function*() {
          const { client } = yield* deployment({ worker_groups: [["media", ...models]] })
          const first = yield* finished(client, (yield* submit(client, sample, body)).id)
          const second = yield* finished(client, (yield* submit(client, sample, body)).id)
          assert.strictEqual(first.status, "succeeded")
          assert.strictEqual(second.status, "succeeded")
          const artifacts = yield* artifactsOf(client, first)
          assert.deepStrictEqual(yield* artifactsOf(client, second), artifacts)
          return artifacts
        }))
        const { client } = yield* deployment({
          worker_groups: [["media"], ["media"], models, models]
        })
        const again = yield* finished(client, (yield* submit(client, sample, body)).id)
        assert.strictEqual(again.status, "succeeded")
        assert.deepStrictEqual(yield* artifactsOf(client, again), one)
      })),
    400_000
  )
})
