import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { configuredKeyRing, type KeyRing } from "../crypto/KeyRing.ts"
import { configuredSourceKeys } from "../crypto/SourceKey.ts"
import type { Problem } from "./Problem.ts"

/** Tells the deployment which key the API seals with. */
export const markEncryptionKey = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { active } = yield* configuredKeyRing
  yield* sql`INSERT INTO footnote.deployment (encryption_key_id) VALUES (${active.id})
    ON CONFLICT (one) DO UPDATE SET encryption_key_id = excluded.encryption_key_id`
})

/** The id of the key that the API seals with, where this process has none of it; undefined too while no API has told its own. */
const unknownKey = Effect.fnUntraced(function*(ring: KeyRing | undefined) {
  const sql = yield* SqlClient.SqlClient
  const [known] = yield* sql<{ readonly encryption_key_id: string | null }>`
    SELECT encryption_key_id FROM footnote.deployment`
  const id = known?.encryption_key_id ?? null
  return id === null || ring?.find(id) !== undefined ? undefined : id
})

const idsOf = (ring: KeyRing | undefined): string => ring?.keys.map((key) => key.id).join(", ") ?? "none"

/** Undefined where this process can open what the API seals, or no API has told its key yet. */
export const checkEncryptionKey = Effect.gen(function*() {
  const ring = yield* configuredKeyRing
  const id = yield* unknownKey(ring)
  if (id === undefined) return undefined
  return {
    code: "encryption_key",
    message: `The API seals with the key ${id}, and this process has ${idsOf(ring)}: `
      + "no secret of a destination or webhook would open. Give API and delivery workers the same FOOTNOTE_ENCRYPTION_KEY; "
      + "where a key is being changed, start every process with both keys first (docs/operations.md).",
    stops: true
  } satisfies Problem
})

/** The same for a process that fetches, of the addresses of sources alone. */
export const checkSourceKey = Effect.gen(function*() {
  const ring = Option.getOrUndefined(yield* configuredSourceKeys)
  const id = yield* unknownKey(ring)
  if (id === undefined) return undefined
  return {
    code: "encryption_key",
    message: `The API seals addresses of sources for the key ${id}, and this process has ${idsOf(ring)}: `
      + "no signed link could be fetched. Give fetch and media workers as FOOTNOTE_SOURCE_KEY what "
      + "`npm run -s keys -- source` prints for the API's FOOTNOTE_ENCRYPTION_KEY (docs/operations.md).",
    stops: true
  } satisfies Problem
})
