import { PgClient } from "@effect/sql-pg"
import { Effect, Schedule, Schema } from "effect"

/**
 * Who may see what, as PostgreSQL holds to it. `engine` moves jobs of all tenants, authenticates and delivers; `tenant` sees
 * the rows of the tenant that its transaction named and nothing without one. Neither owns a table, is a superuser or may
 * bypass row security. Roles belong to the whole cluster; what they may do belongs to each database.
 */
export const roles = { engine: "footnote_engine", tenant: "footnote_tenant" } as const

/** The login cannot do what the service needs; `message` holds the statements that a superuser has to run. */
class DatabaseRoleMissing extends Schema.TaggedError<DatabaseRoleMissing>()("DatabaseRoleMissing", {
  message: Schema.String
}) {}

interface Standing {
  readonly login: string
  /** Whether this login may make roles. */
  readonly makes_roles: boolean
  /** Roles that do not exist. */
  readonly absent: ReadonlyArray<string>
  /** Roles that exist and that this login may not take on. */
  readonly withheld: ReadonlyArray<string>
  /** Roles that the wall would not stop. */
  readonly unbound: ReadonlyArray<string>
}

const standing = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  // From PostgreSQL 16 on a member of a role may be withheld the right to take it on.
  const [row] = yield* sql<Standing>`
    SELECT session_user::text AS login,
      (SELECT rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = session_user) AS makes_roles,
      coalesce(array_agg(name ORDER BY name) FILTER (WHERE r.oid IS NULL), '{}') AS absent,
      coalesce(array_agg(name ORDER BY name) FILTER (WHERE r.oid IS NOT NULL AND NOT CASE
        WHEN current_setting('server_version_num')::int >= 160000 THEN pg_has_role(session_user, r.oid, 'SET')
        ELSE pg_has_role(session_user, r.oid, 'MEMBER') END), '{}') AS withheld,
      coalesce(array_agg(name ORDER BY name) FILTER (WHERE r.rolsuper OR r.rolbypassrls), '{}') AS unbound
    FROM unnest(${[roles.engine, roles.tenant]}::text[]) name LEFT JOIN pg_roles r ON r.rolname = name`
  return row!
})

const quoted = (name: string) => `"${name.replaceAll(`"`, `""`)}"`

const create = (role: string) => `CREATE ROLE ${role} NOLOGIN`
const grant = (role: string, login: string) => `GRANT ${role} TO ${quoted(login)}`
const bind = (role: string) => `ALTER ROLE ${role} NOSUPERUSER NOBYPASSRLS`

/** What is left to do for this login, as SQL; none where it can take on both roles and neither passes the wall. */
const missing = ({ absent, login, unbound, withheld }: Standing): ReadonlyArray<string> => [
  ...absent.map(create),
  ...[...absent, ...withheld].map((role) => grant(role, login)),
  ...unbound.map(bind)
]

/**
 * Makes the roles and takes them on where this login may do so; the others have to be made by a superuser. Databases of
 * one cluster that start at the same moment make the same roles, and what one does fails for the other in ways that also a lack of rights
 * has: one of 24 starts of six at once on a busy machine found neither role its own, and one still did after half a second of tries.
 * So a login that may make roles tries again for five seconds; another is told at once.
 */
export const makeRoles = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  for (const step of [create, grant]) {
    const { absent, login, withheld } = yield* standing
    for (const role of step === create ? absent : withheld) {
      // internal_error: "tuple concurrently updated", another process granting the same.
      yield* sql.unsafe(`DO $do$ BEGIN ${step(role, login)};
        EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege OR internal_error THEN NULL;
        END $do$`)
    }
  }
  const { absent, makes_roles, withheld } = yield* standing
  return !makes_roles || absent.length + withheld.length === 0
}).pipe(
  Effect.repeat({ schedule: Schedule.jittered(Schedule.spaced("100 millis")), times: 50, until: (done) => done })
)

/** Fails with what a superuser has to run where this login cannot take on the roles of the service. */
export const checkRoles = Effect.flatMap(standing, (found) => {
  const statements = missing(found)
  return statements.length === 0 ? Effect.void : new DatabaseRoleMissing({
    message: `The database login ${
      quoted(found.login)
    } cannot keep tenants apart. Run as a superuser of the database:\n${
      statements.map((statement) => `  ${statement};`).join("\n")
    }`
  })
})
