import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { pools } from "../../src/processes/Pools.ts"
import { environmentOf, environmentRules, isGiven, type ProcessRole } from "../../src/processes/ProcessEnvironment.ts"

const read = (file: string) => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), "utf8")
const roles: ReadonlyArray<ProcessRole> = ["api", ...pools, "model"]

/** The table below a heading, as cells, without its header. */
const table = (text: string, heading: string): ReadonlyArray<ReadonlyArray<string>> =>
  text.slice(text.indexOf(heading)).split("\n\n").find((block) => block.startsWith("|"))!.trim().split("\n").slice(2)
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()))

describe("the environment of a process", () => {
  it("has every variable of the tables of settings somewhere", () => {
    const names = [...read("docs/configuration.md").matchAll(/^\| `([A-Z][A-Z0-9_]*)` \|/gmu)].map(([, name]) => name!)
    assert.isAbove(names.length, 60)
    assert.deepStrictEqual(names.filter((name) => !roles.some((role) => isGiven([role], name))), [])
  })

  it("is what the table of docs/operations.md says", () => {
    const rows = table(read("docs/operations.md"), "## What each process is given")
    assert.deepStrictEqual(
      rows.map(([names, ...marks]) => ({
        names: [...names!.matchAll(/`([^`]+)`/gu)].map(([, name]) => name),
        roles: roles.filter((_, at) => marks[at] === "yes")
      })),
      environmentRules.map(({ names, roles: given }) => ({
        names: [...names],
        roles: roles.filter((role) => given.includes(role))
      }))
    )
  })

  it("holds a key only where it is used, and nothing that is not listed", () => {
    const all = {
      PATH: "/bin",
      DATABASE_URL: "postgres:///",
      DATABASE_OWNER_URL: "postgres:///",
      FOOTNOTE_ENCRYPTION_KEY: "e",
      FOOTNOTE_TENANT_MODEL_KEY: "m",
      FOOTNOTE_SIGNING_KEY: "s",
      FOOTNOTE_LLM_KEY: "l",
      BLOB_S3_SECRET_ACCESS_KEY: "b",
      SOURCE_S3_SECRET_ACCESS_KEY: "s",
      CI_TOKEN: "t",
      ABSENT: undefined
    }
    const held = (...given: ReadonlyArray<ProcessRole>) => Object.keys(environmentOf(given, all)).join(" ")
    const blobs = "BLOB_S3_SECRET_ACCESS_KEY"
    assert.strictEqual(
      held("api"),
      `PATH DATABASE_URL DATABASE_OWNER_URL FOOTNOTE_ENCRYPTION_KEY FOOTNOTE_SIGNING_KEY ${blobs}`
    )
    assert.strictEqual(held("delivery"), `PATH DATABASE_URL FOOTNOTE_ENCRYPTION_KEY ${blobs}`)
    assert.strictEqual(held("media"), `PATH DATABASE_URL ${blobs} SOURCE_S3_SECRET_ACCESS_KEY`)
    assert.strictEqual(held("speech", "vision"), `PATH DATABASE_URL ${blobs}`)
    assert.strictEqual(held("extraction"), `PATH DATABASE_URL FOOTNOTE_TENANT_MODEL_KEY FOOTNOTE_LLM_KEY ${blobs}`)
    // The deployment's key is in no process that reads what strangers send, and what opens tenants' models in none that opens media.
    assert.strictEqual(held("vision", "extraction"), `PATH DATABASE_URL FOOTNOTE_LLM_KEY ${blobs}`)
    assert.strictEqual(held("model"), "PATH")
  })
})
