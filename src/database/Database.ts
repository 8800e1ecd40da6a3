import { PgClient } from "@effect/sql-pg"
import { Config, Context, Effect, Layer, Option, Redacted } from "effect"
import { configInvalid } from "../observability/Configuration.ts"
import { secret, setting } from "../observability/Setting.ts"
import { dataFolder } from "../processes/DataFolder.ts"
import { sessionConfig, SessionLimits } from "./DatabaseSession.ts"
import { EmbeddedPostgres } from "./EmbeddedPostgres.ts"
import { migrate } from "./Migrations.ts"
import { roles } from "./Roles.ts"
import { TenantSql } from "./TenantSql.ts"

const addressIn = (
  name: "DATABASE_URL" | "DATABASE_OWNER_URL",
  about: { readonly without?: string; readonly meaning: string }
): Config.Config<Option.Option<Redacted.Redacted>> =>
  Config.option(setting(name, secret, about)).pipe(
    Config.mapEffect((address) => {
      // An empty variable is how a compose file says that there is none.
      if (Option.isNone(address) || Redacted.value(address.value) === "") {
        return Effect.succeed(Option.none<Redacted.Redacted>())
      }
      return /^postgres(ql)?:$/u.test(URL.parse(Redacted.value(address.value))?.protocol ?? "")
        ? Effect.succeed<Option.Option<Redacted.Redacted>>(address)
        : Effect.fail(configInvalid(`${name} must be an address like postgres://user:password@host/database`))
    })
  )

/** `DATABASE_URL` and `DATABASE_OWNER_URL`: a database of the operator's own. Never shown in full where they are wrong. */
export const databaseAddresses = Config.all({
  url: addressIn("DATABASE_URL", {
    without: "embedded PostgreSQL in the data folder",
    meaning:
      "an outside PostgreSQL (15 or later), also over a Unix socket. Its login needs the roles `footnote_engine` and "
      + "`footnote_tenant`; a start that lacks them says which statements a superuser has to run; "
      + "[logins](operations.md#logins-of-the-database) without more rights than that"
  }),
  owner_url: addressIn("DATABASE_OWNER_URL", {
    meaning: "the login that owns the tables, where that of `DATABASE_URL` does not: used for migrations alone"
  })
})

export interface PoolOptions {
  /** Connections of this process for the engine, and as many again for tenants. Default 10. */
  readonly maxConnections?: number
  readonly applicationName?: string
  /** Migrates, where the login of the database's address does not own the tables. */
  readonly owner?: Redacted.Redacted | undefined
}

/** Where the database of this process is: what other processes and other drivers connect with. */
export class Database extends Context.Service<Database, {
  readonly url: Redacted.Redacted
}>()("footnote/database/Database") {
  /**
   * A migrated database at `url`: nothing above this layer can see an older schema. `PgClient` and `SqlClient` are the
   * engine's, which sees all tenants; `TenantSql` is what answers a tenant. Fails where the server cannot be reached, the
   * login cannot take on the service's roles, or a migration fails.
   */
  static readonly layerUrl = (url: Redacted.Redacted, options: PoolOptions = {}) =>
    Layer.mergeAll(
      connect(url, options),
      TenantSql.layerUrl(url, pool(options)),
      Layer.succeed(Database, Database.of({ url }))
    ).pipe(
      // The roles have to be there before the first connection asks for one.
      Layer.provide(Layer.effectDiscard(migrate(url, options.owner)))
    )

  /**
   * The migrated database at `DATABASE_URL`, or else a private PostgreSQL in `<FOOTNOTE_DATA>/postgres` (default
   * `.footnote`), which this process starts, joins or adopts.
   */
  static readonly layer = (options: PoolOptions = {}) =>
    Layer.unwrap(Effect.gen(function*() {
      const { owner_url, url } = yield* databaseAddresses
      if (Option.isSome(url)) {
        return Database.layerUrl(url.value, { ...options, owner: Option.getOrUndefined(owner_url) })
      }
      const data = yield* dataFolder
      return Layer.unwrap(
        Effect.map(EmbeddedPostgres, ({ owner_url, url }) => Database.layerUrl(url, { ...options, owner: owner_url }))
      ).pipe(
        Layer.provide(EmbeddedPostgres.layer({ dataDir: `${data}/postgres` }))
      )
    }))
}

const pool = ({ applicationName = "footnote", maxConnections = 10 }: PoolOptions) => ({
  applicationName,
  maxConnections
})

const connect = (url: Redacted.Redacted, options: PoolOptions) =>
  Layer.unwrap(
    Effect.map(SessionLimits, ({ engine }) =>
      PgClient.layer({ ...sessionConfig(url, roles.engine, engine), ...pool(options) }))
  )
