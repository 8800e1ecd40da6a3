import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { clientAddress, clientSite, trustedProxies } from "../../../src/web/server/ClientAddress.ts"

const address = (trusted: string, peer: string | undefined, forwarded?: string) =>
  Effect.gen(function*() {
    const request = {
      remoteAddress: Option.fromUndefinedOr(peer),
      headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded }
    } as unknown as HttpServerRequest.HttpServerRequest
    return clientAddress(request, yield* trustedProxies)
  }).pipe(Effect.provideService(
    ConfigProvider.ConfigProvider,
    ConfigProvider.fromEnv({ env: { TRUST_PROXY: trusted } })
  ))

it.effect("X-Forwarded-For says nothing unless the peer is a trusted proxy", () =>
  Effect.gen(function*() {
    assert.strictEqual(yield* address("", "203.0.113.5", "198.51.100.1"), "203.0.113.5")
    assert.strictEqual(yield* address("10.0.0.0/8", "203.0.113.5", "198.51.100.1"), "203.0.113.5")
    assert.strictEqual(yield* address("10.0.0.0/8", "10.1.2.3", "198.51.100.1"), "198.51.100.1")
  }))

it.effect("the client is the last address that no trusted proxy has, whatever it wrote before", () =>
  Effect.gen(function*() {
    const trusted = "10.0.0.0/8, ::1"
    assert.strictEqual(yield* address(trusted, "::1", "1.1.1.1, 198.51.100.1, 10.9.9.9"), "198.51.100.1")
    assert.strictEqual(yield* address(trusted, "10.0.0.1", "10.0.0.2"), "10.0.0.2")
    assert.strictEqual(yield* address(trusted, "10.0.0.1", "198.51.100.1, nonsense"), "10.0.0.1")
    assert.strictEqual(yield* address(trusted, "::ffff:10.0.0.1", "198.51.100.1"), "198.51.100.1")
  }))

it.effect("IPv6 callers are counted by their /64, and a vanished peer by a name of its own", () =>
  Effect.gen(function*() {
    assert.strictEqual(yield* address("", "2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64")
    assert.strictEqual(yield* address("", "2001:db8:1:2:ffff::9"), "2001:db8:1:2::/64")
    assert.strictEqual(yield* address("", undefined, "198.51.100.1"), "unknown")
  }))

it.effect("TRUST_PROXY that is no list of addresses is refused at start", () =>
  Effect.gen(function*() {
    const error = yield* Effect.flip(address("everyone", "203.0.113.5"))
    assert.include(String(error.message), "TRUST_PROXY")
  }))

const site = (peer: string) =>
  Effect.map(trustedProxies, (proxies) => {
    const request = { remoteAddress: Option.some(peer), headers: {} }
    return clientSite(request as unknown as HttpServerRequest.HttpServerRequest, proxies)
  })

it.effect("IPv6 callers have a site, their /48, and IPv4 ones none", () =>
  Effect.gen(function*() {
    assert.strictEqual(yield* site("2001:db8:1:2:3:4:5:6"), "2001:db8:1::/48")
    assert.strictEqual(yield* site("2001:db8:1:ffff::9"), "2001:db8:1::/48")
    assert.isUndefined(yield* site("203.0.113.5"))
  }).pipe(Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env: {} }))))
