import { assert, layer } from "@effect/vitest"
import { Clock, ConfigProvider, Effect, Exit } from "effect"
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { outsideIssuer } from "../../src/oauth/OutsideIssuer.ts"
import * as Server from "../support/TestServer.ts"
import { callTool, request } from "../support/ToolClient.ts"

const { TestServer } = Server

/** An issuer of the operator's, as far as the service knows it: keys at an address, and tokens. */
const makeIssuer = async () => {
  const [first, second, stranger] = await Promise.all([
    generateKeyPair("ES256"),
    generateKeyPair("RS256"),
    generateKeyPair("ES256")
  ])
  const keys = [
    { ...(await exportJWK(first.publicKey)), kid: "first", alg: "ES256", use: "sig" },
    { ...(await exportJWK(second.publicKey)), kid: "second", alg: "RS256", use: "sig" }
  ]
  let away = false
  const server = createServer((_request, response) => {
    response.statusCode = away ? 500 : 200
    response.end(JSON.stringify({ keys }))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const sign = (claims: JWTPayload, { alg = "ES256", key = first.privateKey, kid = "first" } = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg, kid, typ: "at+jwt" }).sign(key)
  return {
    issuer,
    sign,
    second: { alg: "RS256", key: second.privateKey, kid: "second" },
    stranger: { key: stranger.privateKey },
    goAway: () => {
      away = true
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

const read = (env: Readonly<Record<string, string>>) =>
  Effect.exit(
    Effect.provideService(outsideIssuer, ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(env))
  )

layer(Server.layer, { excludeTestServices: true })("an outside issuer", (it) => {
  const arrange = Effect.gen(function*() {
    const issuer = yield* Effect.acquireRelease(Effect.promise(makeIssuer), ({ close }) => Effect.sync(close))
    const server = yield* Server.replica({
      FOOTNOTE_OAUTH_ISSUER: issuer.issuer,
      FOOTNOTE_OAUTH_JWKS: `${issuer.issuer}/jwks`,
      FOOTNOTE_OAUTH_TENANT_CLAIM: "footnote_tenant"
    })
    const { key, tenant_id } = yield* server.tenant("outside")
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const claims = {
      iss: issuer.issuer,
      aud: `${server.base_url}/mcp`,
      sub: "ada",
      scope: "openid footnote",
      iat: now,
      exp: now + 300,
      footnote_tenant: tenant_id
    }
    const list = (token: string) => Effect.provideService(request(token, "tools/list"), TestServer, server)
    return { ...issuer, server, key, tenant_id, claims, list }
  })

  it.effect("its token speaks for the tenant that its claim names", () =>
    Effect.gen(function*() {
      const { claims, key, second, server, sign } = yield* arrange
      for (const options of [{}, second]) {
        const token = yield* Effect.promise(() => sign(claims, options))
        const call = callTool(token, "extract", { source_uri: "https://example.com/a.mp4" })
        const { structured } = yield* Effect.provideService(call, TestServer, server)
        assert.strictEqual((yield* server.send("GET", `/v1/jobs/${structured.job_id}`, { key })).status, 200)
      }
    }))

  it.effect("clients are sent to it, and our own endpoints are not there", () =>
    Effect.gen(function*() {
      const { issuer, server } = yield* arrange
      const { json } = yield* server.send("GET", "/.well-known/oauth-protected-resource/mcp")
      assert.deepStrictEqual(json.authorization_servers, [issuer])
      for (const path of ["/.well-known/oauth-authorization-server", "/oauth/authorize", "/oauth/jwks"]) {
        assert.strictEqual((yield* server.send("GET", path)).status, 404, path)
      }
    }))

  it.effect("a token for somebody else, of somebody else, over, or for no tenant of ours is 401", () =>
    Effect.gen(function*() {
      const { claims, list, sign, stranger } = yield* arrange
      const { aud: _aud, ...withoutAudience } = claims
      const { exp: _exp, ...withoutEnd } = claims
      const { footnote_tenant: _tenant, ...withoutTenant } = claims
      const tokens: Readonly<Record<string, Promise<string> | string>> = {
        "another audience": sign({ ...claims, aud: "https://elsewhere.example/mcp" }),
        "no audience": sign(withoutAudience),
        "another issuer": sign({ ...claims, iss: "https://elsewhere.example" }),
        "another key": sign(claims, stranger),
        "an unknown key": sign(claims, { ...stranger, kid: "third" }),
        "over": sign({ ...claims, exp: claims.iat - 60 }),
        "without an end": sign(withoutEnd),
        "no tenant": sign(withoutTenant),
        "an unknown tenant": sign({ ...claims, footnote_tenant: "ten_01kaj3e5h8z9q0w1x2y3z4a5b6" }),
        "a tenant that is no text": sign({ ...claims, footnote_tenant: 5 as never }),
        "unsigned": `${Buffer.from(`{"alg":"none"}`).toString("base64url")}.${
          Buffer.from(JSON.stringify(claims)).toString("base64url")
        }.`,
        "no JWT": "garbage"
      }
      for (const [title, token] of Object.entries(tokens)) {
        const { headers, status } = yield* list(yield* Effect.promise(async () => token))
        assert.strictEqual(status, 401, title)
        assert.include(headers["www-authenticate"], `error="invalid_token"`, title)
      }
    }))

  it.effect("a token that does not reach as far as the tools is 403 with the scope that it lacks", () =>
    Effect.gen(function*() {
      const { claims, list, sign } = yield* arrange
      const { headers, status } = yield* list(yield* Effect.promise(() => sign({ ...claims, scope: "openid" })))
      assert.strictEqual(status, 403)
      assert.include(headers["www-authenticate"], `scope="footnote", error="insufficient_scope"`)
      const listed = yield* Effect.promise(() => sign({ ...claims, scope: undefined, scp: ["openid", "footnote"] }))
      assert.strictEqual((yield* list(listed)).status, 200)
    }))

  it.effect("while its keys cannot be read a token is 503, not wrong", () =>
    Effect.gen(function*() {
      const { claims, goAway, list, sign } = yield* arrange
      goAway()
      const { headers, json, status } = yield* list(yield* Effect.promise(() => sign(claims)))
      assert.strictEqual(status, 503)
      assert.strictEqual(json.error.code, "SERVICE_UNAVAILABLE")
      assert.isString(headers["retry-after"])
    }))

  it.effect("an issuer or key set that is open to anyone on the way stops the start", () =>
    Effect.gen(function*() {
      const good = { FOOTNOTE_OAUTH_ISSUER: "https://id.example", FOOTNOTE_OAUTH_JWKS: "https://id.example/jwks" }
      assert.isTrue(Exit.isSuccess(yield* read(good)))
      assert.isTrue(Exit.isSuccess(yield* read({})))
      for (
        const wrong of [
          { FOOTNOTE_OAUTH_ISSUER: "http://id.example" },
          { FOOTNOTE_OAUTH_ISSUER: "nonsense" },
          { FOOTNOTE_OAUTH_JWKS: "http://id.example/jwks" },
          { FOOTNOTE_OAUTH_JWKS: "" }
        ]
      ) assert.isTrue(Exit.isFailure(yield* read({ ...good, ...wrong })), JSON.stringify(wrong))
    }))
})
