import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { listeningOrigins, serviceAddress } from "../../src/processes/ServiceAddress.ts"

const addressOf = (env: Readonly<Record<string, string>>) =>
  Effect.provide(serviceAddress, ConfigProvider.layer(ConfigProvider.fromUnknown(env)))

describe("the address of the service", () => {
  const cases: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string]> = [
    ["FOOTNOTE_PUBLIC_URL", { FOOTNOTE_PUBLIC_URL: "https://a.example", PORT: "9" }, "https://a.example"],
    ["FOOTNOTE_PUBLIC_URL with its path", { FOOTNOTE_PUBLIC_URL: "https://a.example/api/" }, "https://a.example/api"],
    ["HOST and PORT", { HOST: "10.1.2.3", PORT: "9000" }, "http://10.1.2.3:9000"],
    ["an interface of IPv6", { HOST: "fd00::7", PORT: "9000" }, "http://[fd00::7]:9000"],
    ["PORT, on all interfaces", { HOST: "0.0.0.0", PORT: "9000" }, "http://127.0.0.1:9000"],
    ["where the API listens without any setting", {}, "http://127.0.0.1:8080"],
    ["the same where the public address is empty", { FOOTNOTE_PUBLIC_URL: "" }, "http://127.0.0.1:8080"]
  ]
  for (const [title, env, address] of cases) {
    it.effect(`is ${title}`, () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* addressOf(env), address)
      }))
  }

  const refused: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
    ["a port of the system's choice, which only the API knows", { PORT: "0" }],
    ["no address", { FOOTNOTE_PUBLIC_URL: "example.com" }],
    ["an address with a user", { FOOTNOTE_PUBLIC_URL: "https://a:b@example.com" }]
  ]
  for (const [title, env] of refused) {
    it.effect(`is refused, by the variable's name, for ${title}`, () =>
      Effect.gen(function*() {
        assert.include((yield* Effect.flip(addressOf(env))).message, "FOOTNOTE_PUBLIC_URL")
      }))
  }

  it("has every name of the machine where it listens for the machine, and one elsewhere", () => {
    const local = ["http://127.0.0.1:80", "http://localhost:80", "http://[::1]:80"].map((url) => new URL(url).origin)
    for (const host of ["127.0.0.1", "0.0.0.0", "::"]) assert.deepStrictEqual([...listeningOrigins(host, 80)], local)
    assert.deepStrictEqual(listeningOrigins("localhost", 9)[0], "http://localhost:9")
    assert.deepStrictEqual([...listeningOrigins("10.0.0.1", 9)], ["http://10.0.0.1:9"])
  })
})
