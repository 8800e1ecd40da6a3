import { PgClient } from "@effect/sql-pg"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { openEnvelope, readKeys } from "../../tools/verify-manifest/Envelope.ts"
import { canonical, parseStrict } from "../../tools/verify-manifest/StrictJson.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

const subjects = [{ name: "result.json", digest: { jcs_sha256: "a".repeat(64) } }]
const predicate = { source: { size_bytes: 4, digest: { sha256: "b".repeat(64) } }, models: [], warnings: [] }

/** A succeeded job of a tenant of its own; what it was made from is written as the last stage writes it. */
const succeeded = (written: { readonly predicate?: boolean } = {}) =>
  Effect.gen(function*() {
    const { send, sql, succeed, tenant } = yield* TestServer
    const { key } = yield* tenant("owner")
    const { id } = (yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/a.mp4" } })).json
    if (written.predicate === false) yield* succeed(id, { result: {} })
    else {
      yield* succeed(id, { result: {}, subjects })
      yield* sql(`INSERT INTO footnote.manifests VALUES ('${id}', '${JSON.stringify(predicate)}')`)
    }
    return { id: id as string, key, path: `/v1/jobs/${id}/manifest` }
  })

const statementIn = (manifest: { readonly payload: string }) =>
  JSON.parse(Buffer.from(manifest.payload, "base64").toString("utf8"))

layer(Server.layer, { excludeTestServices: true })("GET /v1/jobs/{id}/manifest", (it) => {
  describe("200", () => {
    it.effect("is a statement about the job that the published key has signed, without a credential to read the key", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { key, path } = yield* succeeded()
        const manifest = yield* send("GET", path, { key })
        assert.strictEqual(manifest.status, 200)
        const keys = yield* send("GET", "/.well-known/footnote-signing-keys")
        const opened = openEnvelope(Buffer.from(manifest.text), "manifest", readKeys(Buffer.from(keys.text), "keys"))
        assert.strictEqual(opened.signed_by, keys.json.keys[0].kid)
      }))

    it.effect("states what was written when the job ended, and the job's own record with its hash", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { id, key, path } = yield* succeeded()
        const statement = statementIn((yield* send("GET", path, { key })).json)
        assert.strictEqual(statement._type, "https://in-toto.io/Statement/v1")
        assert.strictEqual(statement.predicateType, "urn:footnote:extraction:v1")
        assert.deepStrictEqual(statement.subject, subjects)
        const { result: _, ...record } = (yield* send("GET", `/v1/jobs/${id}`, { key })).json
        const form = canonical(parseStrict(Buffer.from(JSON.stringify(record))))
        const { created_at, finished_at, started_at } = record
        const jcs_sha256 = createHash("sha256").update(form).digest("hex")
        assert.deepStrictEqual(statement.predicate, {
          ...predicate,
          job: { id, created_at, started_at, finished_at, digest: { jcs_sha256 } }
        })
      }))

    it.effect("is the same bytes every time, in the canonical form, and HEAD answers its header", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { key, path } = yield* succeeded()
        const call = { key, headers: { "x-request-id": "same" } }
        const [one, two, head] = [
          yield* send("GET", path, call),
          yield* send("GET", path, call),
          yield* send("HEAD", path, call)
        ]
        assert.strictEqual(two.text, one.text)
        const payload = Buffer.from(one.json.payload, "base64")
        assert.strictEqual(payload.toString("utf8"), canonical(parseStrict(payload)))
        assert.strictEqual(head.headers["etag"], one.headers["etag"])
        assert.strictEqual(head.text, "")
      }))
  })

  describe("304", () => {
    it.effect("for whoever has it already", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { key, path } = yield* succeeded()
        const etag = (yield* send("GET", path, { key })).headers["etag"]!
        assert.strictEqual((yield* send("GET", path, { key, headers: { "if-none-match": etag } })).status, 304)
      }))
  })

  describe("401 UNAUTHENTICATED", () => {
    it.effect("without a key", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        assert.strictEqual((yield* send("GET", (yield* succeeded()).path)).status, 401)
      }))
  })

  describe("404 JOB_NOT_FOUND", () => {
    it.effect("one answer for an unknown job and another tenant's", () =>
      Effect.gen(function*() {
        const { send, tenant } = yield* TestServer
        const { path } = yield* succeeded()
        const { key } = yield* tenant("stranger")
        const call = { key, headers: { "x-request-id": "same" } }
        const unknown = yield* send("GET", "/v1/jobs/job_01kaj3e5h8z9q0w1x2y3z4a5b6/manifest", call)
        const foreign = yield* send("GET", path, call)
        assert.deepStrictEqual([unknown.status, unknown.json.error.code], [404, "JOB_NOT_FOUND"])
        assert.deepStrictEqual([foreign.status, foreign.text], [404, unknown.text])
      }))

    it.effect("once the job is erased, and nothing of the manifest is kept", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const sql = yield* PgClient.PgClient
        const { id, key, path } = yield* succeeded()
        yield* send("DELETE", `/v1/jobs/${id}`, { key })
        assert.strictEqual((yield* send("GET", path, { key })).json.error.code, "JOB_NOT_FOUND")
        assert.lengthOf(yield* Effect.orDie(sql`SELECT 1 FROM footnote.manifests WHERE job_id = ${id}`), 0)
      }))
  })

  describe("404 MANIFEST_NOT_FOUND", () => {
    it.effect("of a job that ended before there were manifests", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { key, path } = yield* succeeded({ predicate: false })
        const answer = yield* send("GET", path, { key })
        assert.deepStrictEqual([answer.status, answer.json.error.code], [404, "MANIFEST_NOT_FOUND"])
      }))
  })

  describe("409 JOB_NOT_SUCCEEDED", () => {
    it.effect("tells the status while there is nothing to sign", () =>
      Effect.gen(function*() {
        const { send, tenant } = yield* TestServer
        const { key } = yield* tenant("early")
        const { id } =
          (yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/a.mp4" } })).json
        const answer = yield* send("GET", `/v1/jobs/${id}/manifest`, { key })
        assert.deepStrictEqual([answer.status, answer.json.error.code], [409, "JOB_NOT_SUCCEEDED"])
        assert.deepStrictEqual(answer.json.error.details, [{ path: "status", message: "queued" }])
      }))
  })

  describe("500 ARTIFACT_DAMAGED", () => {
    it.effect("rather than a signature over hashes that are not those that the job ended with", () =>
      Effect.gen(function*() {
        const { send, sql } = yield* TestServer
        const { id, key, path } = yield* succeeded()
        yield* sql(
          `UPDATE footnote.artifacts SET sha256 = '${"0".repeat(64)}' WHERE job_id = '${id}' AND kind = 'subjects'`
        )
        const answer = yield* send("GET", path, { key })
        assert.deepStrictEqual([answer.status, answer.json.error.code], [500, "ARTIFACT_DAMAGED"])
      }))
  })
})

layer(Server.layer, { excludeTestServices: true })("GET /.well-known/footnote-signing-keys", (it) => {
  it.effect("200 is a JWK Set that anyone may read, of public keys alone", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const answer = yield* send("GET", "/.well-known/footnote-signing-keys")
      assert.strictEqual(answer.status, 200)
      for (const key of answer.json.keys) {
        assert.hasAllKeys(key, ["kty", "crv", "x", "kid", "use", "alg"])
        assert.deepInclude(key, { kty: "OKP", crv: "Ed25519", use: "sig", alg: "EdDSA" })
      }
    }))

  it.effect("405 with Allow for anything but reading", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const answer = yield* send("POST", "/.well-known/footnote-signing-keys", { json: {} })
      assert.strictEqual(answer.status, 405)
      assert.strictEqual(answer.headers["allow"], "GET, HEAD, OPTIONS")
    }))
})
