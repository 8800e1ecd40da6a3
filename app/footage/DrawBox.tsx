import { useEffect, useRef, useState } from "preact/hooks"
import type { Box } from "../footnotes/Moments.ts"
import type { Selection } from "../selection/Selection.ts"

interface Point {
  readonly x: number
  readonly y: number
}

const percent = (at: number, of: number): number => Math.min(100, Math.max(0, (at / of) * 100))

const between = (a: Point, b: Point): Box => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y)
})

/** Less than this, in percent of the picture, is a click and no box. */
const leastSide = 1

/**
 * Lets a part of the picture be marked while somebody is asked for one: by dragging, or by a click on one corner and one on the other
 * (WCAG 2.5.7). Escape gives it up.
 */
export function DrawBox({ selection }: { readonly selection: Selection }) {
  const { draw } = selection
  const area = useRef<HTMLDivElement>(null)
  const [from, setFrom] = useState<Point | null>(null)
  const [to, setTo] = useState<Point | null>(null)
  const taken = draw.value
  useEffect(() => {
    setFrom(null)
    if (taken === null) return
    const leave = (event: KeyboardEvent) => {
      if (event.key === "Escape") draw.value = null
    }
    document.addEventListener("keydown", leave)
    return () => document.removeEventListener("keydown", leave)
  }, [taken])
  if (taken === null) return null
  const pointOf = (event: PointerEvent): Point => {
    const { height, left, top, width } = area.current!.getBoundingClientRect()
    return { x: percent(event.clientX - left, width), y: percent(event.clientY - top, height) }
  }
  const end = (point: Point): boolean => {
    const box = from === null ? null : between(from, point)
    if (box === null || box.width < leastSide || box.height < leastSide) return false
    draw.value = null
    taken(box)
    return true
  }
  const box = from === null || to === null ? null : between(from, to)
  return (
    <div
      ref={area}
      class="draw-box"
      onPointerDown={(event) => {
        const point = pointOf(event)
        if (from !== null && end(point)) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setFrom(point)
        setTo(point)
      }}
      onPointerMove={(event) => (from === null ? undefined : setTo(pointOf(event)))}
      onPointerUp={(event) => void end(pointOf(event))}
    >
      {box === null ? null : (
        <div
          class="evidence-box"
          style={{ left: `${box.x}%`, top: `${box.y}%`, width: `${box.width}%`, height: `${box.height}%` }}
        />
      )}
    </div>
  )
}
