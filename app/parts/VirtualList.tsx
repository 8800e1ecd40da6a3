import type { ComponentChildren } from "preact"
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"

/** How far beyond what is seen rows are there already, in pixels. */
const margin = 400

interface Properties<A> {
  readonly items: ReadonlyArray<A>
  readonly keyOf: (item: A) => string
  /** Height of a row before it was ever there. */
  readonly estimate: number
  readonly render: (item: A, index: number) => ComponentChildren
  readonly label: string
  /** The row to bring into view; `revealed` changes where it is to be brought there again. */
  readonly reveal?: number | undefined
  readonly revealed?: unknown
  readonly class?: string
}

/**
 * A list of which only the rows in view exist: 20,000 words scroll as 20. Rows have the height that they have; those that were
 * never seen count by an estimate.
 */
export function VirtualList<A>(properties: Properties<A>) {
  const { estimate, items, keyOf, label, render, reveal, revealed } = properties
  const scroller = useRef<HTMLDivElement>(null)
  const heights = useRef(new Map<string, number>())
  const [measured, setMeasured] = useState(0)
  const [view, setView] = useState({ top: 0, height: 900 })

  const offsets = useMemo(() => {
    const sums = new Float64Array(items.length + 1)
    for (const [at, item] of items.entries()) sums[at + 1] = sums[at]! + (heights.current.get(keyOf(item)) ?? estimate)
    return sums
  }, [items, measured, estimate])

  const rowAt = (y: number) => {
    let [low, high] = [0, items.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (offsets[middle + 1]! <= y) low = middle + 1
      else high = middle
    }
    return low
  }
  const first = rowAt(view.top - margin)
  const last = Math.min(items.length, rowAt(view.top + view.height + margin) + 1)

  const observer = useMemo(() =>
    new ResizeObserver((entries) => {
      let changed = false
      for (const { target } of entries) {
        const key = (target as HTMLElement).dataset["key"]!
        // Whole pixels would leave the sum a fraction off the truth, and scroll anchoring would move the list for ever.
        const { height } = target.getBoundingClientRect()
        if (height > 0 && heights.current.get(key) !== height) {
          heights.current.set(key, height)
          changed = true
        }
      }
      if (changed) setMeasured((count) => count + 1)
    }), [])
  useEffect(() => () => observer.disconnect(), [])

  const look = useCallback(() => {
    const { clientHeight, scrollTop } = scroller.current!
    setView((known) =>
      known.top === scrollTop && known.height === clientHeight ? known : { top: scrollTop, height: clientHeight }
    )
  }, [])
  useLayoutEffect(() => {
    look()
    const size = new ResizeObserver(look)
    size.observe(scroller.current!)
    return () => size.disconnect()
  }, [])

  // Rows on the way may turn out higher than estimated, so it is looked again once they are there.
  const pending = useRef(0)
  useLayoutEffect(() => {
    if (reveal !== undefined && reveal >= 0) pending.current = 3
  }, [reveal, revealed])
  useLayoutEffect(() => {
    if (pending.current === 0 || reveal === undefined || reveal < 0) return
    pending.current -= 1
    const box = scroller.current!
    const [top, bottom] = [offsets[reveal]!, offsets[reveal + 1]!]
    const room = box.clientHeight
    if (top < box.scrollTop || bottom - top > room) box.scrollTop = Math.max(0, top - 12)
    else if (bottom > box.scrollTop + room) box.scrollTop = bottom - room + 12
    look()
  }, [reveal, revealed, measured])

  return (
    <div class={`scroller ${properties.class ?? ""}`} ref={scroller} onScroll={look}>
      <div role="list" aria-label={label}>
        <div style={{ height: `${offsets[first]}px` }} role="presentation" />
        {items.slice(first, last).map((item, at) => {
          const key = keyOf(item)
          return (
            <div
              key={key}
              data-key={key}
              role="listitem"
              aria-setsize={items.length}
              aria-posinset={first + at + 1}
              ref={(row) => {
                if (row !== null) observer.observe(row)
              }}
            >
              {render(item, first + at)}
            </div>
          )
        })}
        <div style={{ height: `${offsets[items.length]! - offsets[last]!}px` }} role="presentation" />
      </div>
    </div>
  )
}
