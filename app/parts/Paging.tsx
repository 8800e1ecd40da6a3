interface Properties {
  /** Of the pages up to this one; null is the first. */
  readonly cursors: ReadonlyArray<string | null>
  readonly next: string | null
  readonly turn: (cursors: ReadonlyArray<string | null>) => void
}

/** Back and forth in a list that is longer than a page; nothing where there is one page. */
export function Paging({ cursors, next, turn }: Properties) {
  if (cursors.length === 1 && next === null) return null
  return (
    <nav class="paging" aria-label="Pages">
      <button
        type="button"
        class="secondary"
        disabled={cursors.length === 1}
        onClick={() => turn(cursors.slice(0, -1))}
      >
        Newer
      </button>
      <button type="button" class="secondary" disabled={next === null} onClick={() => turn([...cursors, next])}>
        Older
      </button>
    </nav>
  )
}
