import { PgClient } from "@effect/sql-pg"
import { type Context, Effect, Layer, type Redacted, Schema } from "effect"
import { checkPooling } from "../database/DatabaseSession.ts"
import { migrationCount } from "../database/Migrations.ts"
import { checkRoles, roles } from "../database/Roles.ts"

/** The database has fewer migrations than this version of the code; `message` says how many, and who brings the others. */
class DatabaseBehind extends Schema.TaggedError<DatabaseBehind>()("DatabaseBehind", {
  message: Schema.String
}) {}

/** A database that this version can work with, and sessions of the engine's role for as long as the scope. */
export interface DatabaseState {
  readonly migrations: number
  readonly client: Context.Context<Layer.Success<ReturnType<typeof PgClient.layer>>>
}

/** Looks at a database and changes nothing. Fails with the sentence that says what is missing and who has to do what. */
export const checkDatabase = Effect.fn("DatabaseState.check")(function*(url: Redacted.Redacted) {
  const session = { url, applicationName: "footnote doctor", maxConnections: 2 }
  yield* checkPooling(url)
  yield* Effect.provide(checkRoles, PgClient.layer(session))
  const client = yield* Layer.build(PgClient.layer({ ...session, startupParameters: { role: roles.engine } }))
  const migrations = yield* PgClient.PgClient.use((sql) =>
    Effect.gen(function*() {
      const [there] = yield* sql<
        { readonly empty: boolean }
      >`SELECT to_regclass('footnote_migrations') IS NULL AS empty`
      if (there!.empty) return 0
      const [found] = yield* sql<{ readonly ran: number }>`SELECT count(*)::int AS ran FROM footnote_migrations`
      return found!.ran
    })
  ).pipe(Effect.provide(client))
  if (migrations < migrationCount) {
    return yield* new DatabaseBehind({
      message:
        `The database has ${migrations} of this version's ${migrationCount} migrations. Start one API process with `
        + "the owner's address as DATABASE_OWNER_URL, or run the migration Job of the deployment"
    })
  }
  return { migrations, client } satisfies DatabaseState
})
