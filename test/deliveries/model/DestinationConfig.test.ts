import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createPrivateKey, generateKeyPairSync } from "node:crypto"
import type { DestinationType } from "../../../src/deliveries/model/Destination.ts"
import { checkConfig } from "../../../src/deliveries/model/DestinationConfig.ts"
import { dsaKey, madeUpRsaKey, rsaKey, rsaKeyOf } from "../../support/HostileKeys.ts"

const pem = (bits: number, type: "pkcs1" | "pkcs8" = "pkcs8") =>
  generateKeyPairSync("rsa", { modulusLength: bits }).privateKey.export({ type, format: "pem" }) as string
const private_key = pem(2048)

const good: { readonly [T in DestinationType]: Readonly<Record<string, unknown>> } = {
  webhook: { url: "https://example.com/hook", headers: { Authorization: "Bearer x" } },
  slack: { bot_token: "xoxb-1-2-abc", channel: "C0123456789" },
  notion: {
    token: "ntn_abc",
    data_source_id: "0191d9a4-6f0c-7cc3-9d1f-0a4b6f6f3b52",
    property_map: { Title: "/title", Job: "$job.id" }
  },
  sheets: {
    client_email: "writer@project.iam.gserviceaccount.com",
    private_key,
    spreadsheet_id: "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms",
    sheet: "Results",
    columns: [{ column: "Title", path: "/items/0/a~1b" }]
  },
  snowflake: {
    account: "myorg-account",
    user: "FOOTNOTE",
    private_key,
    warehouse: "WH",
    database: "DB",
    schema: "PUBLIC",
    table: "RESULTS",
    columns: [{ column: "TITLE", path: "/title" }]
  }
}

const types = Object.keys(good) as ReadonlyArray<DestinationType>

const paths = (type: DestinationType, config: Readonly<Record<string, unknown>>) =>
  Effect.map(
    Effect.flip(checkConfig(type, config)),
    (error) => (error.details ?? []).map(({ path }) => path).toSorted()
  )

describe("a destination's config", () => {
  for (const type of types) {
    it.effect(`of ${type} is taken with all of its fields`, () =>
      Effect.gen(function*() {
        assert.deepStrictEqual<unknown>(yield* checkConfig(type, good[type]), good[type])
      }))

    it.effect(`of ${type} is refused with every missing, unknown and mistyped field, by JSON pointer`, () =>
      Effect.gen(function*() {
        const required = Object.keys(good[type]).filter((name) =>
          !["headers", "property_map", "columns", "data_source_id"].includes(name)
        )
        assert.deepStrictEqual(
          yield* paths(type, { "a/b~c": 1 }),
          [...required.map((name) => `/config/${name}`), "/config/a~1b~0c"].toSorted()
        )
        for (const name of Object.keys(good[type])) {
          const [path] = yield* paths(type, { ...good[type], [name]: 7 })
          assert.strictEqual(path, `/config/${name}`)
        }
      }))

    it.effect(`of ${type} that is refused repeats no value that was sent`, () =>
      Effect.gen(function*() {
        for (const canary of ["canary-5e1f", { "deep": "canary-5e1f" }, ["canary-5e1f"]]) {
          const wrong = Object.fromEntries(Object.keys(good[type]).map((name) => [name, canary]))
          const error = yield* Effect.flip(checkConfig(type, { ...wrong, unknown: canary }))
          assert.notInclude(JSON.stringify([error.message, error.details, String(error)]), "canary-5e1f")
        }
      }))
  }

  it.effect("of slack is a bot in a channel or an incoming webhook, not both", () =>
    Effect.gen(function*() {
      const incoming = { webhook_url: "https://hooks.slack.com/services/T000/B000/XXXX" }
      assert.deepStrictEqual<unknown>(yield* checkConfig("slack", incoming), incoming)
      assert.deepStrictEqual(yield* paths("slack", { ...incoming, ...good.slack }), [
        "/config/bot_token",
        "/config/channel"
      ])
      for (
        const webhook_url of [
          "https://hooks.slack.com.evil.test/services/T/B/X",
          "http://hooks.slack.com/services/T/B/X"
        ]
      ) {
        assert.deepStrictEqual(yield* paths("slack", { webhook_url }), ["/config/webhook_url"])
      }
    }))

  it.effect("keeps a private key in one form, and takes none that is short, sealed or of another kind", () =>
    Effect.gen(function*() {
      for (const given of [pem(2048, "pkcs1"), private_key.trim(), private_key.replaceAll("\n", String.raw`\n`)]) {
        const config = yield* checkConfig("sheets", { ...good.sheets, private_key: given })
        const kept = (config as { readonly private_key: string }).private_key
        assert.match(kept, /^-----BEGIN PRIVATE KEY-----\n/u)
        assert.strictEqual(createPrivateKey(kept).asymmetricKeyDetails?.modulusLength, 2048)
      }
      const sealed = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey
        .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" })
      const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" })
      const hostile = [madeUpRsaKey(4160), madeUpRsaKey(16_384), dsaKey(1000)]
      for (const given of [...hostile, pem(1024), sealed, ec, "-----BEGIN PRIVATE KEY-----", ""]) {
        assert.deepStrictEqual(yield* paths("sheets", { ...good.sheets, private_key: given }), ["/config/private_key"])
      }
    }))

  it.effect("is refused by the key's field where what the key signs does not verify", () =>
    Effect.gen(function*() {
      const numbers = rsaKeyOf(createPrivateKey(private_key))
      const d = numbers.d + 2n
      const unpaired = rsaKey({ ...numbers, d, dp: d % (numbers.p - 1n), dq: d % (numbers.q - 1n) })
      for (const type of ["sheets", "snowflake"] as const) {
        assert.deepStrictEqual(yield* paths(type, { ...good[type], private_key: unpaired }), ["/config/private_key"])
      }
    }))

  it.effect("of a webhook names no header that is the service's own, none twice, and none that could split a request", () =>
    Effect.gen(function*() {
      const refused = ["Host", "content-type", "Webhook-Signature", "Transfer-Encoding", "connection", "a b", "é", ""]
      for (const name of refused) {
        const [path] = yield* paths("webhook", { ...good.webhook, headers: { [name]: "x" } })
        assert.strictEqual(path, `/config/headers/${name}`)
      }
      for (const value of ["a\r\nx: y", "a\u0000b", "", "ü", "x".repeat(4097)]) {
        const headers = { "x-a": value }
        assert.deepStrictEqual(yield* paths("webhook", { ...good.webhook, headers }), ["/config/headers/x-a"])
      }
      assert.deepStrictEqual(yield* paths("webhook", { ...good.webhook, headers: { "X-A": "1", "x-a": "2" } }), [
        "/config/headers"
      ])
      const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`x-${at}`, "1"]))
      assert.deepStrictEqual(yield* paths("webhook", { ...good.webhook, headers: eleven }), ["/config/headers"])
    }))

  it.effect("of a webhook has an http or https URL without a fragment", () =>
    Effect.gen(function*() {
      for (const url of ["ftp://example.com/", "example.com", "javascript:alert(1)", "https://example.com/#x"]) {
        assert.deepStrictEqual(yield* paths("webhook", { url }), ["/config/url"])
      }
    }))

  it.effect("names nothing in Snowflake that could end its quotes, and no column that is there anyhow", () =>
    Effect.gen(function*() {
      for (const field of ["role", "warehouse", "database", "schema", "table"]) {
        for (const name of ["A\"; DROP TABLE B; --", "a b", "1A", "", "x".repeat(256), "é"]) {
          assert.include(yield* paths("snowflake", { ...good.snowflake, [field]: name }), `/config/${field}`)
        }
      }
      const columns = ["job_id", "TITLE", "title"].map((column) => ({ column, path: "/a" }))
      assert.deepStrictEqual(yield* paths("snowflake", { ...good.snowflake, columns }), [
        "/config/columns/0/column",
        "/config/columns/2/column"
      ])
    }))

  it.effect("keeps names in Snowflake as Snowflake does: in upper case, and as they are between double quotes", () =>
    Effect.gen(function*() {
      const typed = {
        database: "analytics",
        schema: `"analytics"`,
        table: "Footnote_1$",
        warehouse: `"my wh"`,
        role: "Loader"
      }
      const columns = [{ column: "title", path: "/a" }, { column: `"title"`, path: "/a" }]
      const config = yield* checkConfig("snowflake", { ...good.snowflake, ...typed, columns })
      assert.deepInclude(config, {
        database: "ANALYTICS",
        schema: "analytics",
        table: "FOOTNOTE_1$",
        warehouse: "my wh",
        role: "LOADER",
        columns: [{ column: "TITLE", path: "/a" }, { column: "title", path: "/a" }]
      })
    }))

  it.effect("names an account in Snowflake by a form that a host has, and says which one", () =>
    Effect.gen(function*() {
      const forms = [
        "myorg-acc",
        "myorg-my_acc",
        "xy12345",
        "xy12345.us-east-2.aws",
        "xy12345.west-europe.azure",
        "ab1.eu-central-1"
      ]
      for (const account of forms) yield* checkConfig("snowflake", { ...good.snowflake, account })
      for (
        const account of [
          "myorg.acc",
          "myorg.my_acc",
          "https://myorg-acc.snowflakecomputing.com",
          "myorg-acc.snowflakecomputing.com"
        ]
      ) {
        const { details } = yield* Effect.flip(checkConfig("snowflake", { ...good.snowflake, account }))
        assert.strictEqual(details![0]!.path, "/config/account")
        assert.match(details![0]!.message, /orgname-account_name, such as myorg-account/u)
      }
    }))

  it.effect("holds a key without a passphrase, and says so of one that has one", () =>
    Effect.gen(function*() {
      const encrypted = createPrivateKey(private_key).export({
        type: "pkcs8",
        format: "pem",
        cipher: "aes-256-cbc",
        passphrase: "hush"
      })
      const given = { ...good.snowflake, private_key: encrypted }
      const { details } = yield* Effect.flip(checkConfig("snowflake", given))
      assert.deepStrictEqual(details!.map(({ path }) => path), ["/config/private_key"])
      assert.match(details![0]!.message, /encrypted: give it without a passphrase/u)
    }))

  it.effect("of sheets may be a service account's file as it is, of which two fields are kept", () =>
    Effect.gen(function*() {
      const file = {
        type: "service_account",
        project_id: "project",
        private_key_id: "0123",
        client_id: "1",
        auth_uri: "https://accounts.google.com/o/oauth2/auth",
        token_uri: "https://evil.test/token",
        auth_provider_x509_cert_url: "https://www.googleapis.com/oauth2/v1/certs",
        client_x509_cert_url: "https://www.googleapis.com/robot/v1/metadata/x509/writer",
        universe_domain: "googleapis.com"
      }
      assert.deepStrictEqual<unknown>(yield* checkConfig("sheets", { ...file, ...good.sheets }), good.sheets)
      // Of another kind of credential nothing is known, and nothing taken.
      assert.include(yield* paths("sheets", { ...file, ...good.sheets, type: "external_account" }), "/config/token_uri")
    }))

  it.effect("of notion names a data source or a database", () =>
    Effect.gen(function*() {
      const { data_source_id, token } = good.notion
      yield* checkConfig("notion", { token, database_id: data_source_id })
      assert.deepStrictEqual(yield* paths("notion", { token }), ["/config/data_source_id"])
      assert.deepStrictEqual(yield* paths("notion", { token, data_source_id, database_id: data_source_id }), [
        "/config/database_id"
      ])
    }))

  it.effect("maps columns by JSON pointers or by names of its own alone", () =>
    Effect.gen(function*() {
      for (const path of ["title", "", "/a~2", "$job.secret", "$.a", "=A1"]) {
        assert.deepStrictEqual(yield* paths("notion", { ...good.notion, property_map: { Title: path } }), [
          "/config/property_map/Title"
        ])
      }
    }))
})
