/** One answer of a list; `next_cursor` is where the next one begins, null at the end. */
export interface Page<Item> {
  readonly data: ReadonlyArray<Item>
  readonly next_cursor: string | null
}

/** A list that is read page by page while it is walked: `for await (const job of client.jobs.list())`. Nothing is asked before. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #read: (cursor: string | undefined) => Promise<Page<Item>>

  constructor(read: (cursor: string | undefined) => Promise<Page<Item>>) {
    this.#read = read
  }

  /** The first page alone. */
  first(): Promise<Page<Item>> {
    return this.#read(undefined)
  }

  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor: string | undefined
    do {
      const page = await this.#read(cursor)
      yield page
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data
  }
}
