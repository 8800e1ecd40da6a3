import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeBegin } from "../../../workers/delivery/BeginAttempt.ts"
import * as Scene from "../../support/DeliveryScene.ts"
import { TestServer } from "../../support/TestServer.ts"

layer(Scene.layer, { excludeTestServices: true })("an attempt", (it) => {
  it.effect("of a row of a table does not begin once a delivery of its job that was asked for later has written it", () =>
    Effect.gen(function*() {
      const { call, destination_id, job, request } = yield* Scene.setting({ status: 204 })
      const { sql } = yield* TestServer
      const begin = yield* makeBegin
      const job_id = yield* job
      const [machine, reviewed, next] = [yield* request(job_id), yield* request(job_id), yield* request(job_id)]
      const kindOf = (delivery_id: string) =>
        Effect.map(
          begin({ delivery_id, turn: 0, destination_id, endpoint: destination_id, credential: undefined }),
          ({ kind }) => kind
        )
      yield* sql(
        `UPDATE footnote.deliveries SET status = 'succeeded', finished_at = now() WHERE id = '${reviewed.json.id}'`
      )
      yield* sql(
        `UPDATE footnote.destinations SET type = 'snowflake', signing_secret = NULL WHERE id = '${destination_id}'`
      )
      assert.strictEqual(yield* kindOf(machine.json.id), "cancelled")
      assert.strictEqual((yield* call("GET", `/v1/deliveries/${machine.json.id}`)).json.status, "cancelled")
      assert.strictEqual(yield* kindOf(next.json.id), "begun")
    }))
})
