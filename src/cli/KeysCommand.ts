import type { PgClient } from "@effect/sql-pg"
import { Console, Effect, type Layer, Schema } from "effect"
import { Command } from "effect/cli"
import { randomBytes } from "node:crypto"
import { configuredKeyRing, keyId } from "../crypto/KeyRing.ts"
import { type KeyPurpose, purposeKeyText } from "../crypto/PurposeKey.ts"
import { type KeyUse, keyUses, rewrap } from "../crypto/Rewrap.ts"
import { Sealing } from "../crypto/Sealing.ts"

/** Some values are under keys that are not here; which ones has been told. */
class KeysMissing extends Schema.TaggedError<KeysMissing>()("KeysMissing", { message: Schema.String }) {}

const generate = Effect.suspend(() => {
  const bytes = randomBytes(32)
  return Console.log(`${keyId(bytes)}:${bytes.toString("base64")}`)
})

const nameOf = ({ key_id }: KeyUse) => key_id ?? "(no id)"

const status = Effect.gen(function*() {
  const sealing = yield* Sealing
  const known = new Set(sealing.key_ids)
  const uses = yield* keyUses
  for (const id of sealing.key_ids) {
    const sealed = uses.filter(({ key_id }) => key_id === id).reduce((sum, { values }) => sum + values, 0)
    const role = id === sealing.active_key_id ? "active" : sealed === 0 ? "no longer needed" : "still needed"
    yield* Console.log(`${id}  ${role}  ${sealed} values`)
  }
  for (const use of uses) {
    if (use.key_id !== sealing.active_key_id) {
      yield* Console.log(`${use.table}.${use.field}: ${use.values} under ${nameOf(use)}`)
    }
  }
  const missing = uses.filter(({ key_id }) => key_id !== null && !known.has(key_id))
  if (missing.length > 0) {
    return yield* new KeysMissing({
      message: `Not among the configured keys: ${[...new Set(missing.map(nameOf))].join(", ")}.`
    })
  }
})

const rewrapAll = Effect.gen(function*() {
  const { active_key_id } = yield* Sealing
  const { rewrapped, unopened } = yield* rewrap((so_far) => Console.log(`${so_far} values under ${active_key_id}`))
  if (unopened > 0) {
    return yield* new KeysMissing({
      message: `${unopened} values open with none of the configured keys and stay as they are: see status.`
    })
  }
  yield* Console.log(`Done: ${rewrapped} values brought under ${active_key_id}. Older keys can be taken away.`)
})

const printed = (purpose: KeyPurpose) =>
  Effect.flatMap(configuredKeyRing, (ring) => Console.log(purposeKeyText(ring, purpose)))

/**
 * `npm run keys` with these words, over services that are built where a command needs them. Prints what it did; fails with
 * the sentence that says what is wrong, a `CliError` where the words are no command.
 */
export const runKeys = <E, R>(
  words: ReadonlyArray<string>,
  services: Layer.Layer<PgClient.PgClient | Sealing, E, R>
) => {
  const command = Command.make("keys").pipe(
    Command.withDescription("The keys that secrets in the database are sealed under (FOOTNOTE_ENCRYPTION_KEY)"),
    Command.withSubcommands([
      Command.make("generate", {}, () => generate).pipe(
        Command.withDescription(
          "Print a fresh key: put it behind the others, start every process again, then put it first"
        )
      ),
      Command.make("rewrap", {}, () => Effect.provide(rewrapAll, services)).pipe(
        Command.withDescription(
          "Bring every sealed value under the first key, while the service runs; can be run again"
        )
      ),
      Command.make("source", {}, () => printed("source")).pipe(
        Command.withDescription(
          "Print the FOOTNOTE_SOURCE_KEY of fetch and media workers: it opens addresses of sources and nothing else"
        )
      ),
      Command.make("tenant-model", {}, () => printed("tenant_model")).pipe(
        Command.withDescription(
          "Print the FOOTNOTE_TENANT_MODEL_KEY of extraction workers: it opens tenants' own language models and nothing else"
        )
      ),
      Command.make("status", {}, () => Effect.provide(status, services)).pipe(
        Command.withDescription("Show which keys are still needed")
      )
    ])
  )
  return Command.runWith(command, { version: "0.1.0" })(words)
}
