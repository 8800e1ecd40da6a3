import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // answered_at: since when it is known that the endpoint answers, be it by a refusal of what it was sent. Null: it has not yet been seen to.
  yield* sql`ALTER TABLE footnote.endpoints ADD COLUMN answered_at timestamptz`
  // From one waiting endpoint of a tenant to the next, however many deliveries wait for each. Where very many wait build it beforehand,
  // CONCURRENTLY and by this name.
  yield* sql`CREATE INDEX IF NOT EXISTS deliveries_parked_endpoints ON footnote.deliveries (tenant_id, endpoint) WHERE parked`
})
