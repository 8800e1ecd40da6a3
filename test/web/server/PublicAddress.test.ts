import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { PublicAddress } from "../../../src/web/server/PublicAddress.ts"

const addressOf = (FOOTNOTE_PUBLIC_URL: string) =>
  Effect.provide(
    PublicAddress,
    PublicAddress.layer.pipe(
      Layer.provide(NodeHttpServer.layerTest),
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ FOOTNOTE_PUBLIC_URL })))
    )
  )

describe("the public address", () => {
  const names = ["http://127.0.0.1:9000", "http://localhost:9000", "http://[::1]:9000"]

  for (const name of names) {
    it.effect(`of this machine, ${name}, has its other names with the same port, and stays the first`, () =>
      Effect.gen(function*() {
        const { base_url, calledBy, origin, origins } = yield* addressOf(name)
        assert.deepStrictEqual([base_url, origin, origins[0]], [name, name, name])
        assert.sameMembers([...origins], names)
        assert.strictEqual(calledBy("localhost:9000").resource, "http://localhost:9000/mcp")
      }))
  }

  for (
    const name of ["https://a.example", "http://a.example:9000", "https://localhost:9000", "http://localhost.a.example"]
  ) {
    it.effect(`${name} has no other name`, () =>
      Effect.gen(function*() {
        const { calledBy, origins } = yield* addressOf(name)
        assert.deepStrictEqual([...origins], [name])
        assert.strictEqual(calledBy("127.0.0.1:9000").resource, `${name}/mcp`)
      }))
  }
})
