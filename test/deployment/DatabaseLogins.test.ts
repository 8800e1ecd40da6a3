import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))
const operations = readFileSync(`${root}docs/operations.md`, "utf8")

/** The first block of a heading of docs/operations.md that has this word. */
const block = (heading: string, word: string): string => {
  const [, section] = operations.split(`\n## ${heading}\n`)
  const blocks = [...section!.split("\n## ")[0]!.matchAll(/```(?:sql|sh)\n([\s\S]*?)```/gu)].map(([, text]) => text!)
  const found = blocks.find((text) => text.includes(word))
  assert.isDefined(found, `${heading}: ${word}`)
  return found!
}

/** Lines of SQL, whatever passwords are in them. */
const statements = (text: string) =>
  text.replaceAll(/PASSWORD (?:'…'|:'\w+')/gu, "PASSWORD").split("\n").filter((line) => /^[A-Z\\]/u.test(line))

// The oldest version that is supported (docs/deployment.md); Debian's package has all of its programs here.
const programs = "/usr/lib/postgresql/15/bin"
const isThere = ["initdb", "pg_ctl", "psql", "pg_dump", "pg_restore"].every((name) => existsSync(`${programs}/${name}`))
if (!isThere) process.stdout.write("PostgreSQL 15 is not installed: the documented logins are not tried on it.\n")

describe("the documented logins", () => {
  it("are those of deploy/postgres-logins.sh, statement by statement", () => {
    const [, script] = readFileSync(`${root}deploy/postgres-logins.sh`, "utf8").split("<<'SQL'\n")
    assert.deepStrictEqual(
      statements(script!).filter((line) => line !== "SQL"),
      statements(block("Logins of the database", "CREATE DATABASE"))
    )
  })

  it.skipIf(!isThere)(
    "migrate a PostgreSQL 15, and its dump, with KEDA's login in it, is restored as documented",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "footnote-logins-"))
      // PostgreSQL refuses to run as root.
      const identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
      if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid)
      const data = join(folder, "data")
      const pgCtl = (...args: ReadonlyArray<string>) =>
        execFileSync(`${programs}/pg_ctl`, ["-D", data, "-w", ...args], { ...identity, cwd: folder, stdio: "ignore" })
      const login = (name: string) => `postgres:///footnote?host=${encodeURIComponent(folder)}&user=footnote_${name}`
      const env = {
        PATH: `${programs}:${process.env["PATH"]}`,
        NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
        PGHOST: folder,
        PGUSER: "postgres",
        DATABASE_URL: login("app"),
        DATABASE_OWNER_URL: login("owner")
      }
      const run = (program: string, args: ReadonlyArray<string>, input = "") =>
        execFileSync(program, args, { cwd: folder, env, input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] })
      const sql = (text: string, database = "postgres") =>
        run("psql", ["-qAt", "-v", "ON_ERROR_STOP=1", "-d", database], text)
      const restored = block("Backup and restore", "pg_restore")
      try {
        execFileSync(`${programs}/initdb`, ["-D", data, "-A", "trust", "-U", "postgres", "--no-sync"], {
          ...identity,
          cwd: folder,
          stdio: "ignore"
        })
        pgCtl("-o", `-c listen_addresses= -k ${folder}`, "-l", join(folder, "log"), "start")

        sql(block("Logins of the database", "CREATE DATABASE").replace(" WITH INHERIT FALSE, SET TRUE", ""))
        assert.match(run(process.execPath, [`${root}src/cli/migrate.ts`]), /The database has all/u)
        sql(block("Backlog", "footnote_scaler"), "footnote")

        run("pg_dump", ["--format=custom", "--file=footnote.dump", env.DATABASE_OWNER_URL])
        sql("DROP DATABASE footnote")
        for (const role of ["scaler", "engine", "tenant"]) sql(`DROP ROLE footnote_${role}`)
        sql("CREATE DATABASE footnote OWNER footnote_owner")
        sql("REVOKE ALL ON DATABASE footnote FROM PUBLIC; GRANT CONNECT ON DATABASE footnote TO footnote_app")
        // The blobs are no matter of the database.
        writeFileSync(
          join(folder, "restore.sh"),
          restored.split("\n").filter((line) => !line.startsWith("rsync")).join("\n")
        )
        run("sh", ["-e", "restore.sh"])

        assert.match(run(process.execPath, [`${root}src/cli/migrate.ts`]), /The database has all/u)
        const backlog = "SELECT count(*) FROM footnote.pool_backlog"
        assert.strictEqual(run("psql", ["-At", login("scaler"), "-c", backlog]).trim(), "6")
      } finally {
        if (existsSync(join(data, "postmaster.pid"))) pgCtl("-m", "immediate", "stop")
        rmSync(folder, { recursive: true })
      }
    }
  )
})
