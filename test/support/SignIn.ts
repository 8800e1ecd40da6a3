import { createHash, randomBytes } from "node:crypto"
import { Browser } from "./Browser.ts"

export const redirect_uri = "http://127.0.0.1:9/callback"

const clients = new Map<string, Promise<string>>()

/** Registers a client that comes back to this address. */
export const registerClient = async (base_url: string, redirect = redirect_uri): Promise<string> => {
  const response = await fetch(`${base_url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Test client", redirect_uris: [redirect] })
  })
  const { client_id } = (await response.json()) as { client_id: string }
  return client_id
}

/** One client per server: registrations are limited. */
export const clientOf = (base_url: string): Promise<string> => {
  const known = clients.get(base_url) ?? registerClient(base_url)
  clients.set(base_url, known)
  return known
}

/** Before each file of tests: they share modules, and the server of a later one may get a port that was another's. */
export const forgetClients = (): void => clients.clear()

export interface Begun {
  readonly browser: Browser
  /** Where the page is, or where the client was told no. */
  readonly at: URL
  readonly response: Response
  readonly verifier: string
  readonly client_id: string
}

/** As far as the page that asks for the key. */
export const begin = async (base_url: string, more: Readonly<Record<string, string>> = {}): Promise<Begun> => {
  const client_id = more["client_id"] ?? await clientOf(base_url)
  const verifier = randomBytes(32).toString("base64url")
  const url = new URL(`${base_url}/oauth/authorize`)
  const params = {
    response_type: "code",
    client_id,
    redirect_uri,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    resource: `${base_url}/mcp`,
    state: "s",
    ...more
  }
  for (const [name, value] of Object.entries(params)) if (value !== "") url.searchParams.set(name, value)
  const browser = new Browser()
  return { browser, verifier, client_id, ...(await browser.follow(url)) }
}

export const token = async (base_url: string, fields: Readonly<Record<string, string>>) => {
  const response = await fetch(`${base_url}/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString()
  })
  return { status: response.status, json: (await response.json()) as any }
}

/** The whole way: from no client to tokens for the key's tenant. */
export const signIn = async (base_url: string, key: string, more: Readonly<Record<string, string>> = {}) => {
  const { at, browser, client_id, verifier } = await begin(base_url, more)
  const allowed = await browser.submit(at, { api_key: key, decision: "allow" })
  const code = allowed.at.searchParams.get("code") ?? ""
  const fields = { grant_type: "authorization_code", code, code_verifier: verifier, client_id, redirect_uri }
  const resource = more["resource"] ?? `${base_url}/mcp`
  const { json, status } = await token(base_url, { ...fields, ...(resource === "" ? {} : { resource }) })
  if (status !== 200) throw new Error(`No tokens: ${status} ${JSON.stringify(json)} at ${allowed.at.href}`)
  return {
    client_id,
    code_fields: fields,
    access_token: json.access_token as string,
    refresh_token: json.refresh_token as string,
    granted: json
  }
}
