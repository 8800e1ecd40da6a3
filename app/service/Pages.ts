import { get } from "./Service.ts"

interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly next_cursor: string | null
}

/** Every entry of a list that is short by nature, such as schemas: ten pages at most. */
export const all = async <A>(path: string): Promise<ReadonlyArray<A>> => {
  const found: Array<A> = []
  let cursor: string | null = null
  for (let pages = 0; pages < 10; pages += 1) {
    const query: string = `${path.includes("?") ? "&" : "?"}limit=100${
      cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`
    }`
    const page: Page<A> = await get<Page<A>>(path + query)
    found.push(...page.data)
    cursor = page.next_cursor
    if (cursor === null) break
  }
  return found
}

export const page = <A>(path: string, cursor: string | null, limit = 25): Promise<Page<A>> =>
  get(
    `${path}${path.includes("?") ? "&" : "?"}limit=${limit}${
      cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`
    }`
  )
