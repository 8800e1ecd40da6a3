import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // What a job was made from, as its manifest states it; written in the transaction that makes the job succeeded. Its
  // other half, the hashes of what was made, is the artifact `subjects`. Jobs that ended before have neither.
  yield* sql`CREATE TABLE footnote.manifests (
    job_id text PRIMARY KEY REFERENCES footnote.jobs ON DELETE CASCADE,
    predicate json NOT NULL
  )`
  yield* sql`ALTER TABLE footnote.artifacts DROP CONSTRAINT artifacts_kind_check`
  yield* sql`ALTER TABLE footnote.artifacts ADD CONSTRAINT artifacts_kind_check CHECK (kind IN ('source', 'images',
    'transcript', 'frames', 'vision', 'graph', 'graph_compact', 'evidence', 'result', 'subjects'))`
})
