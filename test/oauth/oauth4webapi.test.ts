import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as oauth from "oauth4webapi"
import { Browser } from "../support/Browser.ts"
import { redirect_uri } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"
import { request } from "../support/ToolClient.ts"

const { TestServer } = Server

// Plain http on this machine.
const insecure = { [oauth.allowInsecureRequests]: true }

layer(Server.layer, { excludeTestServices: true })("oauth4webapi", (it) => {
  it.effect("completes every leg: resource, discovery, registration, code with PKCE, refresh, revocation", () =>
    Effect.gen(function*() {
      const { base_url, tenant } = yield* TestServer
      const { key } = yield* tenant("legs")
      const resource = new URL(`${base_url}/mcp`)
      const issuer = new URL(base_url)

      const { as, client, tokens } = yield* Effect.promise(async () => {
        // RFC 9728, then RFC 8414.
        const metadata = await oauth.processResourceDiscoveryResponse(
          resource,
          await oauth.resourceDiscoveryRequest(resource, insecure)
        )
        assert.deepStrictEqual(metadata.authorization_servers, [base_url])
        const as = await oauth.processDiscoveryResponse(
          issuer,
          await oauth.discoveryRequest(issuer, { ...insecure, algorithm: "oauth2" })
        )
        // RFC 7591.
        const client = await oauth.processDynamicClientRegistrationResponse(
          await oauth.dynamicClientRegistrationRequest(
            as,
            { client_name: "legs", redirect_uris: [redirect_uri] },
            insecure
          )
        )
        assert.strictEqual(client.token_endpoint_auth_method, "none")
        assert.isUndefined(client.client_secret)

        // RFC 6749, 4.1 with RFC 7636, RFC 8707 and RFC 9207.
        const verifier = oauth.generateRandomCodeVerifier()
        const state = oauth.generateRandomState()
        const url = new URL(as.authorization_endpoint!)
        const params = {
          client_id: client.client_id,
          redirect_uri,
          response_type: "code",
          scope: metadata.scopes_supported!.join(" "),
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
          resource: metadata.resource,
          state
        }
        for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
        const browser = new Browser()
        const { at } = await browser.follow(url)
        const allowed = await browser.submit(at, { api_key: key, decision: "allow" })
        const told = oauth.validateAuthResponse(as, client, allowed.at, state)
        const answer = await oauth.authorizationCodeGrantRequest(
          as,
          client,
          oauth.None(),
          told,
          redirect_uri,
          verifier,
          {
            ...insecure,
            additionalParameters: { resource: metadata.resource }
          }
        )
        return { as, client, tokens: await oauth.processAuthorizationCodeResponse(as, client, answer) }
      })
      assert.strictEqual(tokens.token_type, "bearer")
      assert.strictEqual(tokens.expires_in, 3600)
      assert.strictEqual((yield* request(tokens.access_token, "tools/list")).status, 200)

      const refreshed = yield* Effect.promise(async () =>
        oauth.processRefreshTokenResponse(
          as,
          client,
          await oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token!, insecure)
        )
      )
      assert.strictEqual((yield* request(refreshed.access_token, "tools/list")).status, 200)

      // RFC 7009.
      yield* Effect.promise(async () =>
        oauth.processRevocationResponse(
          await oauth.revocationRequest(as, client, oauth.None(), refreshed.access_token, insecure)
        )
      )
      assert.strictEqual((yield* request(refreshed.access_token, "tools/list")).status, 401)
    }))
})
