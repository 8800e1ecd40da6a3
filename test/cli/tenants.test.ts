import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Console, Effect, Layer, Redacted } from "effect"
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { ApiKeys } from "../../src/api-keys/ApiKeys.ts"
import { isApiKey } from "../../src/api-keys/ApiKeySecret.ts"
import { runTenants } from "../../src/cli/TenantsCommand.ts"
import { Database } from "../../src/database/Database.ts"
import { TenantAccounts } from "../../src/tenants/TenantAccounts.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const entry = fileURLToPath(new URL("../../src/cli/tenants.ts", import.meta.url))

const services = Layer.mergeAll(ApiKeys.layer, TenantAccounts.layer).pipe(Layer.provideMerge(TestDatabase.layer))

/** What the command says on each stream, and the sentence that it fails with. */
const tenants = (...words: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const [out, err]: [Array<string>, Array<string>] = [[], []]
    const heard: Console.Console = Object.assign(Object.create(console), {
      log: (line: string) => void out.push(line),
      error: (line: string) => void err.push(line)
    })
    const failure = yield* runTenants(words).pipe(
      Effect.provide(NodeServices.layer),
      Effect.provideService(Console.Console, heard),
      Effect.match({ onFailure: ({ message }) => message, onSuccess: () => undefined })
    )
    return { out: out.join("\n"), err: err.join("\n"), failure }
  })

const whoseKey = (secret: string) => Effect.flatMap(ApiKeys, ({ authenticate }) => authenticate(Redacted.make(secret)))

const idIn = (text: string, prefix: string) => new RegExp(`${prefix}_[0-9a-z]+`, "u").exec(text)![0]

/** The command as a user starts it. */
const run = (url: string, words: ReadonlyArray<string>) =>
  Effect.callback<{ code: number | null; out: string; err: string }>((resume) => {
    const child = spawn(process.execPath, [entry, ...words], { env: { DATABASE_URL: url } })
    let [out, err] = ["", ""]
    child.stdout.on("data", (chunk) => out += chunk)
    child.stderr.on("data", (chunk) => err += chunk)
    child.once("close", (code) => resume(Effect.succeed({ code, out, err })))
  })

describe("npm run tenants", () => {
  it.live("create makes a tenant whose first key works and is alone on standard output", () =>
    Effect.gen(function*() {
      const made = yield* tenants("create", "--name", "Acme GmbH")
      assert.isTrue(isApiKey(made.out))
      const { tenant_id } = yield* whoseKey(made.out)
      assert.include(made.err, `${tenant_id} (Acme GmbH)`)
      const listed = yield* tenants("list")
      assert.match(listed.out, new RegExp(`${tenant_id} +Acme GmbH +\\S+ +1$`, "mu"))
      assert.notInclude(listed.out + listed.err, made.out)
    }).pipe(Effect.provide(services)))

  it.live("keys are made, listed without their secrets and revoked, each for one tenant", () =>
    Effect.gen(function*() {
      const mine = idIn((yield* tenants("create", "--name", "mine")).err, "ten")
      const other = idIn((yield* tenants("create", "--name", "other")).err, "ten")
      const made = yield* tenants("keys", "create", mine, "--name", "CI")
      const key_id = idIn(made.err, "key")
      const listed = yield* tenants("keys", "list", mine)
      assert.match(listed.out, new RegExp(`^${key_id} +CI +${made.out.slice(0, 12)}… .*never +no$`, "mu"))
      assert.notInclude(listed.out, made.out)
      assert.notInclude((yield* tenants("keys", "list", other)).out, key_id)
      assert.strictEqual((yield* tenants("keys", "revoke", other, key_id)).failure, `The tenant has no key ${key_id}.`)
      yield* whoseKey(made.out)
      const revoked = yield* tenants("keys", "revoke", mine, key_id)
      assert.match(revoked.out, /^key_\w+ revoked at 20/u)
      assert.deepStrictEqual(yield* tenants("keys", "revoke", mine, key_id), revoked)
      assert.strictEqual((yield* Effect.flip(whoseKey(made.out)))._tag, "UNAUTHENTICATED")
    }).pipe(Effect.provide(services)))

  it.live("limits set changes what is named and leaves the rest", () =>
    Effect.gen(function*() {
      const accounts = yield* TenantAccounts
      const id = idIn((yield* tenants("create", "--name", "n")).err, "ten")
      const before = (yield* accounts.get(id)).settings
      yield* tenants("limits", "set", id, "--cost-quota", "25.5", "--retention-days", "30", "--max-active", "0")
      const changed = { ...before, cost_quota: 25.5, retention_days: 30, max_active: 0 }
      assert.deepStrictEqual((yield* accounts.get(id)).settings, changed)
      const shown = yield* tenants("limits", "set", id, "--cost-quota", "none", "--weight", "2")
      assert.deepStrictEqual((yield* accounts.get(id)).settings, { ...changed, cost_quota: null, weight: 2 })
      assert.match(shown.out, /^cost_quota +none$/mu)
      assert.strictEqual((yield* tenants("limits", "show", id)).out, shown.out)
    }).pipe(Effect.provide(services)))

  it.live("a value that cannot be is refused with the flag and nothing is changed", () =>
    Effect.gen(function*() {
      const accounts = yield* TenantAccounts
      const id = idIn((yield* tenants("create", "--name", "n")).err, "ten")
      const before = yield* accounts.get(id)
      const wrong = [
        ["max-active", "none"],
        ["max-running", "0"],
        ["weight", "0"],
        ["cost-quota", "-1"],
        [
          "retention-days",
          "0"
        ],
        ["reads-per-minute", "many"],
        ["max-active", "1.5"],
        ["cost-quota", "1e999"]
      ]
      for (const [flag, value] of wrong) {
        const { failure } = yield* tenants("limits", "set", id, "--writes-per-minute", "7", `--${flag}=${value}`)
        assert.include(failure, `--${flag} ${value}`)
      }
      assert.include((yield* tenants("limits", "set", id)).failure, "Name a setting")
      assert.strictEqual((yield* tenants("limits", "show", "ten_nope")).failure, "There is no tenant ten_nope.")
      assert.deepStrictEqual(yield* accounts.get(id), before)
    }).pipe(Effect.provide(services)))

  it.live("works on the database of the environment, and says in one sentence why it cannot", () =>
    Effect.gen(function*() {
      const { url } = yield* Database
      const made = yield* run(Redacted.value(url), ["create", "--name", "from a shell"])
      assert.strictEqual(made.code, 0)
      yield* whoseKey(made.out.trim())
      const away = yield* run("postgres://nobody@127.0.0.1:1/none", ["list"])
      assert.strictEqual(away.code, 1)
      assert.notMatch(away.err, /\n\s+at /u)
    }).pipe(Effect.provide(services)))
})
