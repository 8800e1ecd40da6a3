import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { registerClient } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"

const callback = "http://127.0.0.1:9/callback"

const nasty = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "x", "\0", "\ud800", "__proto__", "constructor", "%00", "%", "//", "https://[", "🎬".repeat(50))
)
const odd = fc.oneof(nasty, fc.constantFrom<unknown>(null, true, 0, -1, 1e308, [], {}, [null], [{}], [["x"]]))

const addresses = fc.constantFrom<unknown>([callback], ["x"], ["https://a.example/"], ["com.example:/cb"], [], "x", [5])

/** Every member that the provider knows, with what it may hold. */
const members = {
  redirect_uris: addresses,
  post_logout_redirect_uris: addresses,
  application_type: fc.constantFrom("web", "native"),
  subject_type: fc.constantFrom("public", "pairwise"),
  sector_identifier_uri: fc.constantFrom("https://a.example/s", "https://[", "x"),
  token_endpoint_auth_method: fc.constantFrom("none", "client_secret_basic", "client_secret_post", "private_key_jwt"),
  token_endpoint_auth_signing_alg: fc.constantFrom("HS256", "ES256"),
  grant_types: fc.constantFrom<unknown>(
    ["authorization_code"],
    ["refresh_token"],
    ["implicit"],
    ["client_credentials"],
    []
  ),
  response_types: fc.constantFrom<unknown>(["code"], ["code id_token"], ["none"], []),
  response_modes: fc.constantFrom<unknown>(["query"], ["form_post"], ["jwt"], []),
  id_token_signed_response_alg: fc.constantFrom("ES256", "HS256", "none"),
  jwks: fc.constantFrom<unknown>({ keys: [] }, { keys: [{ kty: "EC" }] }, { keys: [null] }),
  jwks_uri: fc.constantFrom("https://a.example/jwks", "x"),
  default_acr_values: fc.constantFrom<unknown>(["a"], [1]),
  default_max_age: fc.constantFrom<unknown>(1, -1, "x"),
  require_auth_time: fc.boolean(),
  scope: fc.constantFrom("footnote", "openid", "footnote offline_access", "\u0001"),
  contacts: fc.constantFrom<unknown>(["a@b.example"], ["x"]),
  client_name: nasty,
  client_uri: fc.constantFrom("https://a.example/", "x"),
  logo_uri: fc.constantFrom("https://a.example/", "x"),
  policy_uri: fc.constantFrom("https://a.example/", "x"),
  tos_uri: fc.constantFrom("https://a.example/", "x"),
  initiate_login_uri: fc.constantFrom("https://a.example/", "x"),
  software_id: nasty,
  client_id: nasty,
  client_secret: nasty,
  client_secret_expires_at: fc.constantFrom<unknown>(0, -1, "x")
}
const registrations = fc.tuple(
  fc.constantFrom<unknown>([callback], ["x"], ["https://a.example/"]),
  // Few at once: with all of them something is always refused before the rest is looked at.
  fc.subarray(Object.keys(members) as Array<keyof typeof members>, { minLength: 1, maxLength: 4 }).chain((names) =>
    fc.record(
      Object.fromEntries(names.map((name) => [
        name,
        fc.oneof({ weight: 4, arbitrary: members[name] as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: odd })
      ]))
    )
  )
).map(([redirect_uris, some]) => Object.assign({ redirect_uris }, some))

const parameters = fc.dictionary(
  fc.oneof(
    {
      weight: 9,
      arbitrary: fc.constantFrom(
        "response_type",
        "redirect_uri",
        "scope",
        "state",
        "code_challenge",
        "code_challenge_method",
        "resource",
        "prompt",
        "response_mode",
        "max_age",
        "id_token_hint",
        "login_hint",
        "request",
        "request_uri",
        "claims",
        "acr_values",
        "ui_locales",
        "registration",
        "dpop_jkt",
        "grant_type",
        "code",
        "code_verifier",
        "refresh_token",
        "token",
        "token_type_hint",
        "client_secret",
        "client_assertion",
        "client_assertion_type",
        "api_key",
        "decision"
      )
    },
    { weight: 1, arbitrary: nasty }
  ),
  fc.oneof(
    nasty,
    fc.constantFrom(
      callback,
      "code",
      "none",
      "login",
      "form_post",
      "query",
      "S256",
      "authorization_code",
      "allow",
      "-1",
      "a.b.c"
    )
  ),
  { maxKeys: 6 }
)

/** Where the provider answers, where it would if its features were on, and where our page is. */
const places = [
  "/oauth/authorize",
  "/oauth/authorize/anything",
  "/oauth/sign-in/anything",
  "/oauth/token",
  "/oauth/revoke",
  "/oauth/register",
  "/oauth/register/anything",
  "/oauth/jwks",
  "/oauth/userinfo",
  "/oauth/introspect",
  "/oauth/par",
  "/oauth/device",
  "/oauth/anything",
  "/me",
  "/token/introspection",
  "/session/end",
  "/session/end/confirm",
  "/request",
  "/device",
  "/device/auth",
  "/backchannel",
  "/challenge",
  "/credential",
  "/interaction/anything",
  "/.well-known/oauth-authorization-server",
  "/.well-known/openid-credential-issuer"
]

const mark = (value: string) => encodeURIComponent(value.toWellFormed())

/** Each request from an address of its own, as a proxy tells it: these endpoints count by address. */
const sender = (base_url: string) => {
  let sent = 0
  return async (method: string, path: string, type?: string, body?: string, accept = "*/*") => {
    sent += 1
    const response = await fetch(`${base_url}${path}`, {
      method,
      redirect: "manual",
      headers: {
        accept,
        "x-forwarded-for": `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`,
        ...(type === undefined ? {} : { "content-type": type })
      },
      ...(body === undefined ? {} : { body })
    })
    const text = await response.text()
    const what = `${method} ${path} ${body ?? ""}: ${response.status} ${text}`
    assert.isBelow(response.status, 500, what)
    for (const name of ["x-request-id", "content-security-policy", "x-content-type-options"]) {
      assert.isNotNull(response.headers.get(name), `${what} without ${name}`)
    }
    return { status: response.status, text }
  }
}

layer(Server.layer, { excludeTestServices: true })("no request of a sign-in causes a server error", (it) => {
  const arrange = Effect.map(
    Server.replica({ TRUST_PROXY: "127.0.0.1", FOOTNOTE_PUBLIC_URL: "http://127.0.0.1:3" }),
    ({ base_url }) => {
      const send = sender(base_url)
      return { base_url, ask: (...request: Parameters<typeof send>) => Effect.promise(() => send(...request)) }
    }
  )

  it.effect("POST /oauth/register with any metadata", () =>
    Effect.gen(function*() {
      const { ask } = yield* arrange
      for (const metadata of fc.sample(registrations, 500)) {
        yield* ask("POST", "/oauth/register", "application/json", JSON.stringify(metadata))
      }
    }))

  it.effect("any endpoint with any parameters, by a client that is registered", () =>
    Effect.gen(function*() {
      const { ask, base_url } = yield* arrange
      const client_id = yield* Effect.promise(() => registerClient(base_url))
      const requests = fc.tuple(
        fc.constantFrom(...places),
        fc.constantFrom("GET", "GET", "POST"),
        parameters,
        fc.constantFrom("*/*", "text/html", "application/json"),
        fc.constantFrom(client_id, client_id, client_id, "https://127.0.0.1/client", "x")
      )
      for (const [place, method, some, accept, client] of fc.sample(requests, 800)) {
        const query = Object.entries({ client_id: client, ...some })
          .map(([name, value]) => `${mark(name)}=${mark(value)}`).join("&")
        yield* method === "GET"
          ? ask("GET", `${place}?${query}`, undefined, undefined, accept)
          : ask("POST", place, "application/x-www-form-urlencoded", query, accept)
      }
    }))

  it.effect("each of these, which did", () =>
    Effect.gen(function*() {
      const { ask, base_url } = yield* arrange
      const client_id = yield* Effect.promise(() => registerClient(base_url))
      const resumed = yield* ask("GET", `/oauth/authorize/anything?client_id=${client_id}`)
      assert.strictEqual(resumed.status, 400)
      const pairwise = { redirect_uris: ["x"], subject_type: "pairwise" }
      const registered = yield* ask("POST", "/oauth/register", "application/json", JSON.stringify(pairwise))
      assert.strictEqual(registered.status, 400)
      assert.match(JSON.parse(registered.text).error, /^invalid_(?:redirect_uri|client_metadata)$/u)
    }))
})
