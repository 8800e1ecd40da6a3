import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { runAlone, type Server } from "./Postmaster.ts"
import { roles } from "./Roles.ts"

/**
 * Who may log in to a private PostgreSQL: `app` for the service, which has no right of its own and takes on one of its
 * roles, and `owner` for migrations, which owns the database. Neither is a superuser, and no superuser can log in.
 */
const logins = { app: "footnote_app", owner: "footnote_owner" } as const
type Login = keyof typeof logins

const rules =
  `# Written by Footnote with the logins. The passwords are in footnote.pgpass; nobody logs in as a superuser.
local postgres ${logins.app},${logins.owner} scram-sha-256
`

const rulesFile = ({ dataDir }: Server) => path.join(dataDir, "pg_hba.conf")
/** In libpq's own form, so that PGPASSFILE can name it. */
const passwordFile = ({ dataDir }: Server) => path.join(dataDir, "footnote.pgpass")

const read = (file: string): string => {
  try {
    return fs.readFileSync(file, "utf8")
  } catch {
    return ""
  }
}

const passwordOf = (server: Server, login: Login): string | undefined =>
  new RegExp(`^\\*:\\*:\\*:${logins[login]}:([\\w-]{43})$`, "mu").exec(read(passwordFile(server)))?.[1]

/** Replaces a file of the data folder in one step, readable by the server's user alone. */
const replace = (server: Server, file: string, text: string) => {
  const fresh = `${file}.new`
  fs.rmSync(fresh, { force: true })
  const opened = fs.openSync(fresh, "wx", 0o600)
  fs.writeSync(opened, text)
  if (server.uid !== undefined) fs.fchownSync(opened, server.uid, server.uid)
  fs.fsyncSync(opened)
  fs.closeSync(opened)
  fs.renameSync(fresh, file)
}

/** The address of the server for this login; none before its logins were made. */
export const urlOf = (server: Server, login: Login): string | undefined => {
  const password = passwordOf(server, login)
  return password === undefined
    ? undefined
    : `postgres:///postgres?host=${encodeURIComponent(server.socketDir)}&user=${logins[login]}&password=${password}`
}

/** Whether the folder has these logins and no other. One of an earlier version let every process of its user in as superuser. */
export const made = (server: Server): boolean =>
  read(rulesFile(server)) === rules && passwordOf(server, "app") !== undefined
  && passwordOf(server, "owner") !== undefined

const nothing = "NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS"

/** The bootstrap superuser's oid: what earlier versions worked as, and so what their tables belong to. */
const bootstrap = 10
const theirs = `nspname !~ '^pg_' AND nspname <> 'information_schema'`

/** Gives all that the superuser owns beside the system's own to the owner. `REASSIGN OWNED` refuses this superuser. */
const handOver = `DO $do$ DECLARE change text; BEGIN FOR change IN
  SELECT format('SCHEMA %I', nspname) FROM pg_namespace WHERE nspowner = ${bootstrap} AND ${theirs}
  UNION ALL SELECT format('%s %I.%I', CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW'
      WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END, nspname, relname)
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE relowner = ${bootstrap} AND ${theirs} AND relkind IN ('r', 'p', 'v', 'm', 'S') AND NOT (relkind = 'S' AND EXISTS (
      SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype IN ('a', 'i')))
  UNION ALL SELECT format('ROUTINE %s', p.oid::regprocedure) FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
    WHERE proowner = ${bootstrap} AND ${theirs}
  UNION ALL SELECT format('TYPE %I.%I', nspname, typname)
    FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace LEFT JOIN pg_class c ON c.oid = typrelid
    WHERE typowner = ${bootstrap} AND ${theirs} AND (typtype IN ('d', 'e', 'r') OR typtype = 'c' AND c.relkind = 'c')
  LOOP EXECUTE format('ALTER %s OWNER TO ${logins.owner}', change); END LOOP; END $do$`

/** Asks first: in single-user mode an error ends the server even where it is caught. */
const create = (role: string) =>
  `DO $do$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role}; END IF; END $do$`

/** Each can be run again. */
const statements = (passwords: Readonly<Record<Login, string>>): ReadonlyArray<string> => [
  ...[roles.engine, roles.tenant].flatMap((role) => [create(role), `ALTER ROLE ${role} NOLOGIN ${nothing}`]),
  ...(["app", "owner"] as const).flatMap((login) => [
    create(logins[login]),
    `ALTER ROLE ${logins[login]} LOGIN NOINHERIT ${nothing} PASSWORD '${passwords[login]}'`,
    // Outside of the roles a session may do nothing: no right is inherited.
    `GRANT ${roles.engine}, ${roles.tenant} TO ${logins[login]} WITH INHERIT FALSE, SET TRUE`
  ]),
  // Whoever copies the folder wants it written first.
  `GRANT pg_checkpoint TO ${logins.owner} WITH INHERIT TRUE`,
  "REVOKE ALL ON DATABASE postgres FROM PUBLIC",
  `ALTER DATABASE postgres OWNER TO ${logins.owner}`,
  `GRANT CONNECT ON DATABASE postgres TO ${logins.app}`,
  handOver
]

/**
 * Makes the logins of a server that does not run, and hands them what an earlier version left to the superuser. Run again
 * after it was cut off it does the rest; until it has been through the server must not be started.
 */
export const make = async (server: Server): Promise<void> => {
  const passwords = {
    app: passwordOf(server, "app") ?? randomBytes(32).toString("base64url"),
    owner: passwordOf(server, "owner") ?? randomBytes(32).toString("base64url")
  }
  await runAlone(server, statements(passwords))
  const lines = (["app", "owner"] as const).map((login) => `*:*:*:${logins[login]}:${passwords[login]}\n`)
  replace(server, passwordFile(server), lines.join(""))
  replace(server, rulesFile(server), rules)
}
