import { createHash } from "node:crypto"

const most = 1000

/** A cache with a time to live: things learnt from a vendor, under a key of which only the digest is kept: it holds credentials. */
export class TtlCache<A> {
  readonly #seconds: number
  readonly #entries = new Map<string, { readonly value: A; readonly until: number }>()

  constructor(seconds: number) {
    this.#seconds = seconds
  }

  #key(parts: ReadonlyArray<string>): string {
    return createHash("sha256").update(JSON.stringify(parts)).digest("base64")
  }

  get(parts: ReadonlyArray<string>, now: number): A | undefined {
    const entry = this.#entries.get(this.#key(parts))
    return entry !== undefined && now < entry.until ? entry.value : undefined
  }

  set(parts: ReadonlyArray<string>, value: A, now: number, seconds = this.#seconds): void {
    const key = this.#key(parts)
    this.#entries.delete(key)
    this.#entries.set(key, { value, until: now + seconds * 1000 })
    if (this.#entries.size > most) this.#entries.delete(this.#entries.keys().next().value!)
  }

  forget(parts: ReadonlyArray<string>): void {
    this.#entries.delete(this.#key(parts))
  }
}
