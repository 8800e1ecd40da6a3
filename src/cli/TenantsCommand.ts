import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ApiKeys } from "../api-keys/ApiKeys.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import {
  type SettingName,
  settingNames,
  type TenantAccount,
  TenantAccounts,
  TenantSettings
} from "../tenants/TenantAccounts.ts"

/** A value that cannot be set, in words. */
class SettingInvalid extends Schema.TaggedError<SettingInvalid>()("SettingInvalid", { message: Schema.String }) {}

/** Columns as wide as their widest cell, two blanks apart. */
const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => [...row[column]!].length)))
  const line = (row: ReadonlyArray<string>) => row.map((cell, at) => cell.padEnd(widths[at]!)).join("  ").trimEnd()
  return rows.map(line).join("\n")
}

/** Settings that a tenant has from the deployment where it has none of its own. */
const ofDeployment: ReadonlySet<SettingName> = new Set([
  "storage_quota",
  "reads_per_minute",
  "writes_per_minute",
  "uploads_per_minute"
])

/** Nothing set is no limit for some settings; for others it is the deployment's, which is not the same. */
const shown = (setting: SettingName, value: number | null) =>
  value !== null ? String(value) : ofDeployment.has(setting) ? "none: the deployment's own" : "none"

const describe = ({ created_at, id, keys, name, settings }: TenantAccount) =>
  table([
    ["id", id],
    ["name", name],
    ["created_at", created_at],
    ["keys", String(keys)],
    ...settingNames.map((setting) => [setting, shown(setting, settings[setting])])
  ])

/** The key alone goes to standard output, so that a script can take it from there; it is shown this once. */
const handOut = Effect.fnUntraced(function*(account: TenantAccount, name: string) {
  const keys = yield* ApiKeys
  const { id, secret } = yield* keys.create({ name, scopes: ["*"] })
  yield* Console.error(`Key ${id} of ${account.id} (${account.name}), shown once:`)
  yield* Console.log(secret)
})

const asTenant = <A, E, R>(text: string, work: (account: TenantAccount) => Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const account = yield* (yield* TenantAccounts).get(text)
    return yield* Effect.provideService(work(account), CurrentTenant, { tenant_id: account.id, key_id: null })
  })

const create = Effect.fn("create")(function*(name: string, key: string) {
  const account = yield* (yield* TenantAccounts).create(name)
  yield* asTenant(account.id, () => handOut(account, key))
})

const list = Effect.gen(function*() {
  const accounts = yield* (yield* TenantAccounts).list
  const rows = accounts.map(({ created_at, id, keys, name }) => [id, name, created_at, String(keys)])
  yield* Console.log(table([["id", "name", "created_at", "keys"], ...rows]))
})

const listKeys = Effect.gen(function*() {
  const keys = yield* ApiKeys
  const rows: Array<ReadonlyArray<string>> = []
  let cursor: string | undefined
  do {
    const page = yield* keys.list({ limit: 100, cursor })
    for (const { created_at, id, last_used_at, name, prefix, revoked_at } of page.data) {
      rows.push([id, name, `${prefix}…`, created_at, last_used_at ?? "never", revoked_at ?? "no"])
      cursor = id
    }
    if (page.next_cursor === null) cursor = undefined
  } while (cursor !== undefined)
  yield* Console.log(table([["id", "name", "key", "created_at", "last used", "revoked"], ...rows]))
})

const revoke = Effect.fn("revoke")(function*(key_id: string) {
  const keys = yield* ApiKeys
  const { revoked_at } = yield* keys.revoke(key_id).pipe(
    Effect.catchTag("API_KEY_NOT_FOUND", () => new SettingInvalid({ message: `The tenant has no key ${key_id}.` }))
  )
  yield* Console.log(`${key_id} revoked at ${revoked_at}.`)
})

/** `none` is null; whether a setting takes that, and which numbers, is the settings' own schema to say. */
const parse = Effect.fnUntraced(function*(given: ReadonlyMap<SettingName, string>) {
  const settings: Partial<Record<SettingName, number | null>> = {}
  for (const [name, text] of given) {
    const value = text === "none" ? null : /^-?\d+(\.\d+)?$/u.test(text) ? Number(text) : Number.NaN
    const field: Schema.Codec<number | null, number | null> = TenantSettings.fields[name]
    settings[name] = yield* Schema.decodeEffect(field)(value).pipe(
      Effect.mapError(({ message }) =>
        new SettingInvalid({
          message: `--${flagOf(name)} ${text}: ${
            value === null ? "this setting is always a number, so it takes no none" : message
          }`
        })
      )
    )
  }
  return settings as Partial<TenantSettings>
})

const flagOf = (name: SettingName) => name.replaceAll("_", "-")

const descriptions: Readonly<Record<SettingName, string>> = {
  max_active: "Jobs that may be queued or running; 0 takes no new ones",
  max_running: "Jobs that may work at once",
  weight: "Share of the workers while several tenants wait; 1 is usual",
  cost_quota: "What jobs may cost in a calendar month (UTC), or none",
  storage_quota: "Bytes that uploads and jobs may keep, 0 for no limit, none for the deployment's own",
  retention_days: "Days after which a finished job is erased, or none to keep them",
  reads_per_minute: "Reading requests a minute, 0 for no limit, none for the deployment's own",
  writes_per_minute: "The same for requests that make or change something",
  uploads_per_minute: "The same for uploads"
}

const settingFlags = Object.fromEntries(
  settingNames.map((name) => [
    name,
    Flag.String(flagOf(name)).pipe(Flag.withDescription(descriptions[name]), Flag.optional)
  ])
) as Record<SettingName, Flag.Flag<Option.Option<string>>>

const setLimits = Effect.fn("setLimits")(function*(
  tenant_id: string,
  flags: Readonly<Record<SettingName, Option.Option<string>>>
) {
  const given = new Map(settingNames.flatMap((name) => {
    const text = Option.getOrUndefined(flags[name])
    return text === undefined ? [] : [[name, text] as const]
  }))
  if (given.size === 0) {
    return yield* new SettingInvalid({
      message: `Name a setting: ${settingNames.map((name) => `--${flagOf(name)}`).join(", ")}.`
    })
  }
  const settings = yield* parse(given)
  yield* Console.log(describe(yield* (yield* TenantAccounts).change(tenant_id, settings)))
})

const tenant = Argument.String("tenant").pipe(Argument.withDescription("The tenant's id, as list shows it"))
const Name = Schema.String.check(Schema.isMinCodePoints(1), Schema.isMaxCodePoints(100))
const named = (otherwise: string) =>
  Flag.String("name").pipe(
    Flag.withDescription("What the key is called in lists"),
    Flag.withDefault(otherwise),
    Flag.withSchema(Name)
  )

const command = Command.make("tenants").pipe(
  Command.withDescription("Who may use this deployment: its tenants, their keys and their limits"),
  Command.withSubcommands([
    Command.make("list", {}, () => list).pipe(Command.withDescription("Show the tenants")),
    Command.make(
      "create",
      {
        name: Flag.String("name").pipe(
          Flag.withDescription("What the tenant is called in lists"),
          Flag.withSchema(Name)
        ),
        key: Flag.String("key-name").pipe(
          Flag.withDescription("What its first key is called"),
          Flag.withDefault("first key"),
          Flag.withSchema(Name)
        )
      },
      ({ key, name }) => create(name, key)
    ).pipe(Command.withDescription("Make a tenant; its first key goes to standard output, once")),
    Command.make("limits").pipe(
      Command.withDescription("What a tenant may use"),
      Command.withSubcommands([
        Command.make(
          "show",
          { tenant },
          ({ tenant }) =>
            Effect.flatMap(
              TenantAccounts,
              ({ get }) => Effect.flatMap(get(tenant), (account) => Console.log(describe(account)))
            )
        )
          .pipe(Command.withDescription("Show a tenant and its limits")),
        Command.make("set", { tenant, ...settingFlags }, ({ tenant, ...flags }) => setLimits(tenant, flags))
          .pipe(
            Command.withDescription(
              "Change the limits that are named; they hold from the next request on, requests per minute within 10 s"
            )
          )
      ])
    ),
    Command.make("keys").pipe(
      Command.withDescription("The keys of a tenant"),
      Command.withSubcommands([
        Command.make("list", { tenant }, ({ tenant }) => asTenant(tenant, () => listKeys)).pipe(
          Command.withDescription("Show the keys, never their secrets")
        ),
        Command.make(
          "create",
          { tenant, name: named("operator") },
          ({ name, tenant }) => asTenant(tenant, (account) => handOut(account, name))
        ).pipe(
          Command.withDescription("Make a key; it goes to standard output, once")
        ),
        Command.make(
          "revoke",
          { tenant, key: Argument.String("key").pipe(Argument.withDescription("The key's id, not the key itself")) },
          ({ key, tenant }) => asTenant(tenant, () => revoke(key))
        ).pipe(Command.withDescription("Refuse a key from now on, for good"))
      ])
    )
  ])
)

/**
 * `npm run tenants` with these words, on the database of the environment. Prints what it did; fails with the sentence that
 * says what is wrong, a `CliError` where the words are no command.
 */
export const runTenants = (words: ReadonlyArray<string>) => Command.runWith(command, { version: "0.1.0" })(words)
