import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { configuredKeyRing } from "../crypto/KeyRing.ts"
import type { Problem } from "./Problem.ts"

/** Tells the deployment which key the API seals with. */
export const markEncryptionKey = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { active } = yield* configuredKeyRing
  yield* sql`INSERT INTO footnote.deployment (encryption_key_id) VALUES (${active.id})
    ON CONFLICT (one) DO UPDATE SET encryption_key_id = excluded.encryption_key_id`
})

/** Undefined where this process can open what the API seals, or no API has told its key yet. */
export const checkEncryptionKey = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const ring = yield* configuredKeyRing
  const [known] = yield* sql<{ readonly encryption_key_id: string | null }>`
    SELECT encryption_key_id FROM footnote.deployment`
  const id = known?.encryption_key_id ?? null
  if (id === null || ring.find(id) !== undefined) return undefined
  return {
    code: "encryption_key",
    message: `The API seals with the key ${id}, and this process has ${ring.keys.map((key) => key.id).join(", ")}: `
      + "no secret of a destination or webhook would open. Give API and delivery workers the same FOOTNOTE_ENCRYPTION_KEY; "
      + "where a key is being changed, start every process with both keys first (docs/operations.md).",
    stops: true
  } satisfies Problem
})
