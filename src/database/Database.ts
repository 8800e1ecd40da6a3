import { PgClient } from "@effect/sql-pg"
import { Config, Context, Effect, Layer, Option, Redacted } from "effect"
import { EmbeddedPostgres } from "./EmbeddedPostgres.ts"
import { migrate } from "./Migrations.ts"

export interface PoolOptions {
  /** Connections of this process. Default 10. */
  readonly maxConnections?: number
  readonly applicationName?: string
}

/** Where the database of this process is: what other processes and other drivers connect with. */
export class Database extends Context.Service<Database, {
  readonly url: Redacted.Redacted
}>()("footnote/database/Database") {
  /**
   * A migrated database at `url`: nothing above this layer can see an older schema. Fails where the server cannot be
   * reached or a migration fails.
   */
  static readonly layerUrl = (url: Redacted.Redacted, options: PoolOptions = {}) =>
    Layer.effectDiscard(migrate(url)).pipe(
      Layer.provideMerge(connect(url, options)),
      Layer.merge(Layer.succeed(Database, Database.of({ url })))
    )

  /**
   * The migrated database at `DATABASE_URL`, or else a private PostgreSQL in `<FOOTNOTE_DATA>/postgres` (default
   * `.footnote`), which this process starts, joins or adopts.
   */
  static readonly layer = (options: PoolOptions = {}) =>
    Layer.unwrap(Effect.gen(function*() {
      const url = yield* Config.option(Config.Redacted("DATABASE_URL"))
      // An empty variable is how a compose file says that there is none.
      if (Option.isSome(url) && Redacted.value(url.value) !== "") return Database.layerUrl(url.value, options)
      const data = yield* Config.String("FOOTNOTE_DATA").pipe(Config.withDefault(".footnote"))
      return Layer.unwrap(Effect.map(EmbeddedPostgres, (embedded) => Database.layerUrl(embedded.url, options))).pipe(
        Layer.provide(EmbeddedPostgres.layer({ dataDir: `${data}/postgres` }))
      )
    }))
}

const connect = (url: Redacted.Redacted, { applicationName = "footnote", maxConnections = 10 }: PoolOptions) =>
  PgClient.layer({ url, applicationName, maxConnections, keepAlive: "10 seconds" })
