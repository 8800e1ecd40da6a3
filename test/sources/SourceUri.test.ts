import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { makeAddressPolicy } from "../../src/egress/AddressPolicy.ts"
import { checkSourceUri, parseSourceUri, SourceBlocked } from "../../src/sources/SourceUri.ts"

const strict = makeAddressPolicy()

const forbidden = [
  "http://127.0.0.1/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0177.0.0.1/",
  "http://0177.1/",
  "http://127.1/",
  "http://0/",
  "http://0.0.0.0/",
  "http://127.0.0.1./",
  "http://①②⑦.⓪.⓪.①/",
  "http://[::1]/",
  "http://[::]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[::127.0.0.1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[2002:7f00:1::]/",
  "http://[fe80::1]/",
  "http://[fc00::1]/",
  "http://10.0.0.1/",
  "http://100.64.0.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://192.168.0.1/",
  "http://198.18.0.1/",
  "http://224.0.0.1/",
  "http://255.255.255.255/",
  "http://localhost/",
  "http://LOCALHOST./",
  "http://a.localhost/",
  "http://printer.local/",
  "http://metadata.google.internal/",
  "https://user@example.com/a.mp4",
  "https://user:secret@example.com/a.mp4",
  "http://example.com:22/a.mp4",
  "https://example.com:8443/a.mp4",
  "file:///etc/passwd",
  "ftp://example.com/a.mp4",
  "gopher://example.com/",
  "data:video/mp4;base64,AAAA",
  "javascript:alert(1)",
  "concat:a.mp4|b.mp4",
  "/etc/passwd",
  "not a uri",
  "",
  "upload://",
  "upload://upl_a/../../other",
  "upload://job_1",
  "UPLOAD://upl_1",
  "upload://upl_1?x=1",
  "s3://",
  "s3://Bucket",
  "s3://bucket",
  "s3://b/key",
  "s3://10.0.0.1/key",
  "s3://two..dots/key",
  "s3://bucket/../other/key",
  "s3://bucket/a/./key",
  "s3://bucket/line\nbreak",
  `s3://bucket/${"k".repeat(1025)}`,
  "sample://",
  "sample://../../etc/passwd",
  "sample://Lecture",
  "sample://constructor"
]

describe("SourceUri", () => {
  it.each(forbidden)("refuses %j with SOURCE_BLOCKED at source_uri", (text) => {
    const parsed = parseSourceUri(text, strict)
    assert.isTrue(Result.isFailure(parsed))
    if (Result.isFailure(parsed)) {
      assert.instanceOf(parsed.failure, SourceBlocked)
      assert.strictEqual(parsed.failure._tag, "SOURCE_BLOCKED")
      assert.deepStrictEqual(parsed.failure.details?.map(({ path }) => path), ["/source_uri"])
    }
  })

  it.effect("takes public URLs on the usual ports, with every part kept", () =>
    Effect.gen(function*() {
      for (
        const text of ["https://example.com/a%20b.mp4?x=1", "http://93.184.216.34/a.mp4", "http://example.com:443/a"]
      ) {
        const uri = yield* checkSourceUri(text, strict)
        assert.strictEqual(uri.kind === "http" ? uri.url.href : "", text)
      }
    }))

  it.effect("takes uploads by id and objects by bucket and key", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* checkSourceUri("upload://upl_01J9Zk", strict), {
        kind: "upload",
        upload_id: "upl_01J9Zk"
      })
      assert.deepStrictEqual(yield* checkSourceUri("s3://my.bucket/talks/2026 a.mp4", strict), {
        kind: "s3",
        bucket: "my.bucket",
        key: "talks/2026 a.mp4"
      })
    }))

  it.effect("takes the samples that come with the service by their names", () =>
    Effect.gen(function*() {
      for (const name of ["lecture", "product-demo"]) {
        const uri = yield* checkSourceUri(`sample://${name}`, strict)
        assert.isTrue(uri.kind === "sample" && uri.file.endsWith(`/samples/${name}.mp4`))
      }
    }))

  it("lets any port through only for an address on the allow list", () => {
    const policy = makeAddressPolicy({ allow_private: "127.0.0.1/32" })
    assert.isTrue(Result.isSuccess(parseSourceUri("http://127.0.0.1:3456/a.mp4", policy)))
    assert.isTrue(Result.isFailure(parseSourceUri("http://127.0.0.2:3456/a.mp4", policy)))
    assert.isTrue(Result.isFailure(parseSourceUri("http://93.184.216.34:3456/a.mp4", policy)))
    assert.isTrue(
      Result.isSuccess(parseSourceUri("http://93.184.216.34:3456/a", makeAddressPolicy({ allow_ports: "3456" })))
    )
  })
})
