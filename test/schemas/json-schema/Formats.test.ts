import assert from "node:assert"
import { describe, it } from "vitest"
import { hasFormat, isAsserted, standardFormats } from "../../../src/schemas/json-schema/Formats.ts"

/** Of each format what has it and what looks like it. */
const cases: Readonly<Record<string, readonly [has: ReadonlyArray<string>, hasNot: ReadonlyArray<string>]>> = {
  date: [["2024-02-29", "2026-11-30"], ["2026-02-29", "2026-11-31", "2026-1-01", "2026-11-30T"]],
  time: [["10:00:00Z", "23:59:60Z", "08:59:60+09:00"], ["10:00:00", "24:00:00Z", "10:00:60Z", "10:00:00+24:00"]],
  "date-time": [["2026-11-21T10:00:00.5+01:00", "2026-11-21t10:00:00z"], [
    "2026-11-21 10:00:00Z",
    "2026-11-31T10:00:00Z"
  ]],
  duration: [["P1Y2M3DT4H5M6S", "PT0S", "P2W"], ["P", "PT", "P1YT", "P1Y3D", "P1W2D", "PT1H6S", "1D"]],
  email: [["a.b@c.org", "\"a b\"@c.org", "a@[127.0.0.1]"], ["a@", "@c.org", "a..b@c.org", "a@c_d.org", "a@[1.2.3]"]],
  "idn-email": [["ü@münchen.de"], ["ü@", "ü"]],
  hostname: [["a-b.org", "xn--mnchen-3ya.de"], ["-a.org", "a_b.org", "a.org.", "xn--x", ""]],
  "idn-hostname": [["münchen.de", "a。b"], ["-ü", "a..b", "\u0300a", "l·a"]],
  ipv4: [["127.0.0.1"], ["127.0.0.01", "256.0.0.1", "1.2.3", "1.2.3.4 "]],
  ipv6: [["::", "::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"], [
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "::1%eth0",
    "12345::"
  ]],
  uri: [["https://a.org/b?c#d", "urn:isbn:1", "http://[::1]:80/"], [
    "//a.org",
    "a b:c",
    "http://a.org/{x}",
    "1a:b",
    "http://[::1/"
  ]],
  "uri-reference": [["../a?b", "#c", ""], ["a b", "1:b/%zz"]],
  iri: [["http://ü.org/é"], ["http://ü.org/é é", "/é"]],
  "iri-reference": [["é/ü"], ["é ü"]],
  uuid: [["00000000-0000-0000-0000-00000000000A"], [
    "00000000000000000000000000000000",
    "{00000000-0000-0000-0000-000000000000}"
  ]],
  "uri-template": [["/a/{b}{?c,d*}", "{+a:3}"], ["{", "{}", "{a b}", "{a:0}"]],
  "json-pointer": [["", "/a~0~1/0"], ["a", "/a~2", "#/a"]],
  "relative-json-pointer": [["0", "1/a", "2#"], ["01", "-1", "0##", "/a", ""]],
  regex: [["^a+$"], ["(", "\\a"]]
}

describe("hasFormat", () => {
  for (const name of Object.keys(standardFormats)) {
    it(`tells what has the format ${name} from what looks like it`, () => {
      const [has, hasNot] = cases[name]!
      for (const text of has) assert(hasFormat(name, text), text)
      for (const text of hasNot) assert(!hasFormat(name, text), text)
    })
  }

  it("lets every value pass that the format says nothing of", () => {
    assert(hasFormat("date", 5))
    assert(hasFormat("x-own", "anything") && !isAsserted("x-own"))
    assert(hasFormat("constructor", "anything") && !isAsserted("constructor"))
    assert(!hasFormat("int32", 2 ** 40))
  })
})
