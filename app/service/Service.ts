import { signal } from "@preact/signals"
import type { ErrorDetail, ErrorEnvelope, Session } from "../../clients/typescript/src/generated/types.ts"
import { loadAgain } from "../parts/Loading.tsx"

/** The service refused: `message` is for people, `details` name the fields. */
export class Refused extends Error {
  override readonly name = "Refused"
  readonly status: number
  readonly code: string
  readonly details: ReadonlyArray<ErrorDetail>

  constructor(
    status: number,
    { code, details, message }: Pick<ErrorEnvelope["error"], "code" | "message" | "details">
  ) {
    super(message)
    this.status = status
    this.code = code
    this.details = details ?? []
  }
}

/** Who is signed in: undefined until that is known, null where nobody is. */
export const session = signal<Session | null | undefined>(undefined)

/** Whose session ended while they were at work: what is on their screen stays until they are back or leave. */
export const interrupted = signal<Session | null>(null)

/** Why it is not known who is signed in, such as a service that is not ready. */
export const sessionProblem = signal<string | null>(null)

/** Where the API is from here: the page is in `/app/`, wherever a proxy puts both. */
export const at = (path: string): string =>
  new URL(`..${path}`, document.baseURI).pathname + new URL(`..${path}`, document.baseURI).search

const leave = (): void => {
  interrupted.value = session.peek() ?? interrupted.peek()
  session.value = null
}

const failureOf = async (response: Response): Promise<Refused> => {
  try {
    return new Refused(response.status, ((await response.json()) as ErrorEnvelope).error)
  } catch {
    return new Refused(response.status, {
      code: "SERVICE_UNAVAILABLE",
      message: `The service answered ${response.status} and nothing else.`
    })
  }
}

/**
 * Learns the CSRF token anew, which a sign-in in another tab replaces. Answers whether it is another one of the same tenant: what
 * was meant for one tenant is never sent again for another.
 */
export const renewToken = async (): Promise<boolean> => {
  const before = session.peek() ?? interrupted.peek()
  const now = await get<Session>("/v1/session").catch((error: unknown) => {
    if (error instanceof Refused && error.status === 401) leave()
    throw error
  })
  session.value = now
  interrupted.value = null
  return before?.tenant.id === now.tenant.id && before.csrf_token !== now.csrf_token
}

/** Whether it was refused for a token that another tab's sign-in has replaced, and for nothing else. */
export const isStale = (
  { code, details }: { readonly code: string; readonly details?: ReadonlyArray<ErrorDetail> }
): boolean => code === "CSRF_TOKEN_INVALID" && details?.some(({ path }) => path === "x-csrf-token") === true

const send = async (method: string, path: string, body?: unknown, renewed = false): Promise<Response> => {
  const headers: Record<string, string> = { accept: "application/json" }
  if (body !== undefined) headers["content-type"] = "application/json"
  const token = session.peek()?.csrf_token
  if (method !== "GET" && token !== undefined) headers["x-csrf-token"] = token
  let response: Response
  try {
    response = await fetch(at(path), { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  } catch {
    throw new Refused(0, { code: "SERVICE_UNAVAILABLE", message: "The service does not answer. Is it running?" })
  }
  if (response.ok) return response
  const failure = await failureOf(response)
  // The session is over or its key was revoked: whatever is on the screen, the next thing is to sign in.
  if (failure.status === 401 && path !== "/v1/session") leave()
  if (!renewed && method !== "GET" && isStale(failure) && (await renewToken())) return send(method, path, body, true)
  throw failure
}

/** What the API answers, or throws `Refused`. */
export const call = async <A>(
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: unknown
): Promise<A> => {
  const response = await send(method, path, body)
  return (response.status === 204 ? undefined : await response.json()) as A
}

export const get = <A>(path: string): Promise<A> => call("GET", path)

/** Bytes, for what is hashed rather than read. */
export const bytesOf = async (path: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await (await send("GET", path)).arrayBuffer())

/** Finds out who is signed in. Where the service cannot say, that is told, and nobody is taken for signed out. */
export const findSession = async (): Promise<void> => {
  sessionProblem.value = null
  try {
    session.value = await get<Session>("/v1/session")
  } catch (error) {
    if (error instanceof Refused && (error.status === 0 || error.status === 429 || error.status >= 500)) {
      sessionProblem.value = error.message
    } else session.value = null
  }
}

export const signIn = async (api_key: string): Promise<void> => {
  session.value = await call<Session>("POST", "/v1/session", { api_key })
  interrupted.value = null
  loadAgain.value += 1
}

export const signOut = async (): Promise<void> => {
  try {
    await call("DELETE", "/v1/session")
  } finally {
    interrupted.value = null
    session.value = null
  }
}

/** What a person is told of anything that went wrong. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
