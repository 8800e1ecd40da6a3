import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import {
  addressPolicyConfig,
  AddressPolicyInvalid,
  forbiddenUrl,
  isAddressAllowed,
  makeAddressPolicy
} from "../../src/egress/AddressPolicy.ts"

const strict = makeAddressPolicy()
const onLoopback = (port: number) => new URL(`http://127.0.0.1:${port}/a.mp4`)

const denied: ReadonlyArray<readonly [address: string, what: string]> = [
  ["0.0.0.0", "this host"],
  ["0.1.2.3", "this network"],
  ["10.20.30.40", "private"],
  ["100.64.0.1", "carrier-grade NAT"],
  ["100.127.255.254", "carrier-grade NAT"],
  ["127.0.0.1", "loopback"],
  ["127.9.9.9", "loopback"],
  ["169.254.169.254", "cloud metadata"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.0.0.8", "protocol assignments"],
  ["192.0.2.1", "documentation"],
  ["192.88.99.1", "6to4 relay"],
  ["192.168.1.1", "private"],
  ["198.18.0.1", "benchmarking"],
  ["198.51.100.1", "documentation"],
  ["203.0.113.5", "documentation"],
  ["224.0.0.1", "multicast"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "broadcast"],
  ["::", "unspecified"],
  ["::1", "loopback"],
  ["::127.0.0.1", "IPv4-compatible loopback"],
  ["::ffff:127.0.0.1", "mapped loopback"],
  ["::ffff:7f00:1", "mapped loopback in hex"],
  ["::ffff:10.0.0.1", "mapped private"],
  ["64:ff9b::7f00:1", "NAT64 of loopback"],
  ["64:ff9b:1::1", "local NAT64"],
  ["100::1", "discard"],
  ["100:0:0:1::", "dummy prefix"],
  ["2001::1", "Teredo"],
  ["2001:20::1", "ORCHIDv2"],
  ["2001:db8::1", "documentation"],
  ["2002:7f00:1::", "6to4 of loopback"],
  ["3fff::1", "documentation"],
  ["5f00::1", "segment routing"],
  ["fc00::1", "unique local"],
  ["fd12:3456::1", "unique local"],
  ["fe80::1", "link local"],
  ["fe80::1%eth0", "link local with a zone"],
  ["fec0::1", "site local"],
  ["ff02::1", "multicast"],
  ["localhost", "no address at all"],
  ["", "nothing"]
]

describe("AddressPolicy", () => {
  it.each(denied)("denies %s (%s)", (address) => {
    assert.isFalse(isAddressAllowed(strict, address))
  })

  it.each(["8.8.8.8", "93.184.216.34", "1.1.1.1", "2606:4700::1111", "[2a00:1450:4001::1]", "::ffff:8.8.8.8"])(
    "allows the public address %s",
    (address) => {
      assert.isTrue(isAddressAllowed(strict, address))
    }
  )

  it("opens only the networks of the allow list, in either spelling of an address", () => {
    const policy = makeAddressPolicy({ allow_private: "127.0.0.1/32, fd00::/8" })
    assert.isTrue(isAddressAllowed(policy, "127.0.0.1"))
    assert.isTrue(isAddressAllowed(policy, "::ffff:127.0.0.1"))
    assert.isTrue(isAddressAllowed(policy, "fd00::5"))
    assert.isFalse(isAddressAllowed(policy, "127.0.0.2"))
    assert.isFalse(isAddressAllowed(policy, "10.0.0.1"))
    assert.isFalse(isAddressAllowed(policy, "::1"))
  })

  it("opens the listed ports alone, of private addresses too; without any these are open on all, for one host's service", () => {
    const listed = makeAddressPolicy({ allow_private: "127.0.0.0/8", allow_ports: "18085,18086" })
    assert.isUndefined(forbiddenUrl(onLoopback(18_085), listed))
    assert.strictEqual(
      forbiddenUrl(onLoopback(18_088), listed),
      "Port 18088 is not allowed; 80, 443, 18085, 18086 are."
    )
    assert.isUndefined(forbiddenUrl(onLoopback(18_088), makeAddressPolicy({ allow_private: "127.0.0.0/8" })))
    assert.isDefined(forbiddenUrl(new URL("http://8.8.8.8:18088/"), listed))
  })

  it("refuses a list that it cannot read instead of guessing", () => {
    assert.throws(() => makeAddressPolicy({ allow_private: "127.0.0.1" }), AddressPolicyInvalid)
    assert.throws(() => makeAddressPolicy({ allow_private: "everything" }), AddressPolicyInvalid)
    assert.throws(() => makeAddressPolicy({ allow_ports: "80,99999" }), AddressPolicyInvalid)
    assert.throws(() => makeAddressPolicy({ allow_ports: "http" }), AddressPolicyInvalid)
  })

  it.effect("is strict without configuration and takes both lists from it", () =>
    Effect.gen(function*() {
      const bare = yield* addressPolicyConfig.parse(ConfigProvider.fromEnv({ env: {} }))
      assert.deepStrictEqual(bare, strict)
      const env = { SOURCE_ALLOW_PRIVATE: "10.0.0.0/8", SOURCE_ALLOW_PORTS: "8443" }
      const open = yield* addressPolicyConfig.parse(ConfigProvider.fromEnv({ env }))
      assert.isTrue(isAddressAllowed(open, "10.1.1.1"))
      assert.deepStrictEqual([...open.allow_ports], [80, 443, 8443])
    }))
})
