import { assert, layer } from "@effect/vitest"
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js"
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js"
import { Effect } from "effect"
import { Browser } from "../support/Browser.ts"
import { redirect_uri } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"
import { toolCalls } from "../support/ToolCalls.ts"
import { toolScene } from "../support/ToolScene.ts"

const { TestServer } = Server

/** What a program with this client keeps; the person is told where to sign in. */
class Provider implements OAuthClientProvider {
  readonly redirectUrl = redirect_uri
  readonly clientMetadata = { client_name: "MCP SDK", redirect_uris: [redirect_uri] }
  asked: URL | undefined
  #client: OAuthClientInformationMixed | undefined
  #tokens: OAuthTokens | undefined
  #verifier = ""

  clientInformation() {
    return this.#client
  }
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.#client = client
  }
  tokens() {
    return this.#tokens
  }
  saveTokens(tokens: OAuthTokens) {
    this.#tokens = tokens
  }
  redirectToAuthorization(url: URL) {
    this.asked = url
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  codeVerifier() {
    return this.#verifier
  }
}

const connect = async (base_url: string, provider: Provider) => {
  const transport = new StreamableHTTPClientTransport(new URL(`${base_url}/mcp`), { authProvider: provider })
  const client = new Client({ name: "sdk", version: "1" })
  await client.connect(transport)
  return { client, transport }
}

/** Everything from a 401 to a connection, as a desktop program does it with this SDK. */
const signedIn = async (base_url: string, key: string) => {
  const provider = new Provider()
  const first = new StreamableHTTPClientTransport(new URL(`${base_url}/mcp`), { authProvider: provider })
  const refused = await new Client({ name: "sdk", version: "1" }).connect(first).then(() => undefined, (error) => error)
  if (!(refused instanceof UnauthorizedError)) throw new Error(`Connected without a token: ${refused}`)
  const browser = new Browser()
  const { at } = await browser.follow(provider.asked!)
  const allowed = await browser.submit(at, { api_key: key, decision: "allow" })
  await first.finishAuth(allowed.at.searchParams.get("code")!)
  return { provider, ...(await connect(base_url, provider)) }
}

layer(Server.layer, { excludeTestServices: true })("the MCP SDK's client", (it) => {
  it.effect("finds the issuer, registers, signs in, and calls all 14 tools with results that fit their schemas", () =>
    Effect.gen(function*() {
      const { base_url } = yield* TestServer
      const scene = yield* toolScene("sdk")
      const { client } = yield* Effect.promise(() => signedIn(base_url, scene.key))
      const { tools } = yield* Effect.promise(() => client.listTools())
      assert.lengthOf(tools, 14)
      const called = new Set<string>()
      for (const { args, tool } of toolCalls(scene)) {
        // The client checks structured content against the output schema that it was listed with.
        const result = yield* Effect.promise(() => client.callTool({ name: tool, arguments: { ...args } }))
        assert.notStrictEqual(result.isError, true, `${tool}: ${JSON.stringify(result.content)}`)
        assert.isObject(result.structuredContent)
        called.add(tool)
      }
      assert.strictEqual(called.size, 14)
      yield* Effect.promise(() => client.close())
    }))

  it.effect("goes on with a refreshed token when its access token is over", () =>
    Effect.gen(function*() {
      const { base_url, sql } = yield* TestServer
      const scene = yield* toolScene("refresh")
      const { client, provider } = yield* Effect.promise(() => signedIn(base_url, scene.key))
      const before = provider.tokens()!
      yield* sql(
        `UPDATE footnote.oauth_entries SET expires_at = now() WHERE model = 'AccessToken' AND key_id =
          (SELECT id FROM footnote.api_keys WHERE tenant_id = '${scene.tenant_id}')`
      )
      const result = yield* Effect.promise(() => client.callTool({ name: "list_jobs", arguments: {} }))
      assert.notStrictEqual(result.isError, true)
      assert.notStrictEqual(provider.tokens()!.access_token, before.access_token)
      assert.notStrictEqual(provider.tokens()!.refresh_token, before.refresh_token)
      yield* Effect.promise(() => client.close())
    }))

  it.effect("ends its session when told to", () =>
    Effect.gen(function*() {
      const { base_url } = yield* TestServer
      const scene = yield* toolScene("session")
      const { client, transport } = yield* Effect.promise(() => signedIn(base_url, scene.key))
      assert.isString(transport.sessionId)
      yield* Effect.promise(() => transport.terminateSession())
      const gone = yield* Effect.promise(() => client.listTools().then(() => undefined, (error) => error))
      assert.match(String(gone), /404|session/iu)
      yield* Effect.promise(() => client.close())
    }))
})
