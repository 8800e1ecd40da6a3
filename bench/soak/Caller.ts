import { setTimeout as delay } from "node:timers/promises"

export interface Answered {
  readonly status: number
  readonly json: any
}

export interface Asked {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Statuses from 400 on that are right here. */
  readonly may?: ReadonlyArray<number>
}

const add = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1)

/** What all callers together were answered. */
export const makeAnswers = () => {
  const counts = new Map<string, number>()
  const unexpected = new Map<string, number>()
  return {
    counts,
    unexpected,
    count: (method: string, path: string, status: number | "cut", may: ReadonlyArray<number> = [], text = "") => {
      const route = path.replace(/\?.*$/u, "").replaceAll(/\/[a-z]{3}_[0-9a-z]+/gu, "/{id}")
      add(counts, `${method} ${route} ${status}`)
      // 503 and 429 are repeated, and an API process that is restarted cuts what it was answering.
      if (typeof status === "number" && status >= 400 && status !== 503 && status !== 429 && !may.includes(status)) {
        add(unexpected, `${method} ${route} ${status} ${text.slice(0, 200)}`)
      }
    }
  }
}

export type Answers = ReturnType<typeof makeAnswers>

const bodyOf = (body: unknown): Pick<RequestInit, "body" | "headers"> =>
  body === undefined
    ? {}
    : body instanceof Uint8Array
    ? { body: body as Uint8Array<ArrayBuffer>, headers: { "content-type": "application/octet-stream" } }
    : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }

/**
 * Calls with a tenant's key, by turns at each API process, and again where one was restarted, is away (503) or has no room
 * (429). A request that died may have done its work: submissions carry an idempotency key.
 */
export const makeCaller = (bases: ReadonlyArray<string>, key: string, answers: Answers) => {
  let turn = 0
  const call = async (path: string, { body, headers, may, method = "GET" }: Asked = {}): Promise<Answered> => {
    for (;;) {
      const { headers: type, ...rest } = bodyOf(body)
      try {
        const response = await fetch(`${bases[turn++ % bases.length]}${path}`, {
          method,
          ...rest,
          headers: { authorization: `Bearer ${key}`, ...type as Record<string, string>, ...headers },
          signal: AbortSignal.timeout(120_000)
        })
        const text = await response.text()
        answers.count(method, path, response.status, may, text)
        if (response.status !== 503 && response.status !== 429) {
          return { status: response.status, json: text.startsWith("{") ? JSON.parse(text) : undefined }
        }
        await delay(1000)
      } catch {
        answers.count(method, path, "cut")
        await delay(100)
      }
    }
  }
  return { bases, key, answers, call }
}

export type Caller = ReturnType<typeof makeCaller>
