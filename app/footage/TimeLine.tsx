import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import type { Leaf } from "../footnotes/Leaves.ts"
import { clock, type Interval } from "../footnotes/Moments.ts"
import { frameAt } from "../playback/Playback.ts"
import type { Selection } from "../selection/Selection.ts"

/** More voices than this share one lane. */
const mostLanes = 4
const leastWidth = 3

const useWidth = () => {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(600)
  useEffect(() => {
    const observer = new ResizeObserver(() => setWidth(Math.max(100, box.current?.clientWidth ?? 600)))
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [])
  return { box, width }
}

/** One path for a whole lane: a day of turns is one element. */
const barsOf = (spans: ReadonlyArray<Interval>, scale: number, [top, height]: readonly [number, number]) =>
  spans.map(({ t_end, t_start }) =>
    `M${(t_start * scale).toFixed(1)} ${top}h${
      Math.max(leastWidth, (t_end - t_start) * scale - 1).toFixed(1)
    }v${height}H${(t_start * scale).toFixed(1)}z`
  ).join("")

interface LaneProperties {
  readonly label: string
  readonly kind: string
  readonly scale: number
  readonly layers: ReadonlyArray<{ readonly name: string; readonly spans: ReadonlyArray<Interval> }>
}

function Lane({ kind, label, layers, scale }: LaneProperties) {
  return (
    <div class={`lane ${kind}`}>
      <span class="lane-label">{label}</span>
      <svg
        class="lane-track"
        role="img"
        aria-label={`${label}: ${layers.flatMap(({ spans }) => spans).length} stretches`}
      >
        {layers.map(({ name, spans }) => <path key={name} class={name} d={barsOf(spans, scale, [2, 12])} />)}
      </svg>
    </div>
  )
}

function FilmStrip(
  { scale, selection, width }: { readonly selection: Selection; readonly scale: number; readonly width: number }
) {
  const { data, footage, frameTimes } = selection
  const slots = Math.max(1, Math.floor(width / 64))
  return (
    <div class="lane film">
      <span class="lane-label">Frames</span>
      <div class="lane-track" aria-hidden="true">
        {Array.from({ length: slots }, (_, slot) => {
          const frame = frameAt(data.frames, frameTimes, ((slot + 0.5) * (width / slots)) / scale)
          const address = frame === undefined ? null : footage.frame_url(frame.id)
          return <span key={slot}>{address === null ? null : <img src={address} alt="" loading="lazy" />}</span>
        })}
        <svg>
          <path
            class="kept"
            d={barsOf(data.frames.map(({ timestamp }) => ({ t_start: timestamp, t_end: timestamp })), scale, [0, 4])}
          />
        </svg>
      </div>
    </div>
  )
}

function PlayHead({ scale, selection }: { readonly selection: Selection; readonly scale: number }) {
  return <div class="play-head" style={{ transform: `translateX(${selection.playback.time.value * scale}px)` }} />
}

const spansOf = (leaves: ReadonlyArray<Leaf>, state: string) =>
  leaves.flatMap((leaf) =>
    leaf.span !== null && leaf.state === state && leaf.number !== null ? leaf.span.citations : []
  )

/** Who speaks, what was kept of the picture, where the values come from, and the chapters, on one line of time. */
export function TimeLine({ selection }: { readonly selection: Selection }) {
  const { chapters, data: { frames, transcript }, leaves, place, playback } = selection
  const { box, width } = useWidth()
  const [hover, setHover] = useState<number | null>(null)
  const duration = playback.duration.value || 1
  const scale = width / duration

  const voices = useMemo(() => {
    const { speakers, turns } = transcript
    const named = speakers.length > mostLanes ? speakers.slice(0, mostLanes - 1) : speakers
    const lanes = named.map(({ id, label }) => ({ label, spans: turns.filter(({ speaker }) => speaker === id) }))
    const names = new Set(named.map(({ id }) => id))
    const others = turns.filter(({ speaker }) => !names.has(speaker))
    return others.length === 0 ? lanes : [...lanes, { label: "Others", spans: others }]
  }, [])
  const evidence = useMemo(
    () => ["verified", "not_verified", "person"].map((name) => ({ name, spans: spansOf(leaves, name) })),
    []
  )
  const timeAt = (event: PointerEvent | MouseEvent) =>
    Math.min(duration, Math.max(0, (event.clientX - box.current!.getBoundingClientRect().left) / scale))

  const go = (event: MouseEvent) => {
    const time = timeAt(event)
    const lane = (event.target as Element).closest(".lane")
    if (lane?.classList.contains("evidence")) {
      // Of those that are here the shortest: a slide that stands for a minute lies under all that is said over it.
      const [here] = leaves.filter(({ span }) =>
        span !== null && span.citations.length > 0 && span.t_start <= time + 2 / scale && span.t_end >= time - 2 / scale
      ).toSorted((a, b) => (a.span!.t_end - a.span!.t_start) - (b.span!.t_end - b.span!.t_start))
      if (here !== undefined) return selection.select(here, 0, true)
    }
    playback.seek(time)
  }

  const at = place.value
  return (
    <section class="time-line" aria-label="Time line">
      <div
        class="lanes"
        onClick={go}
        onPointerMove={(event) => setHover(timeAt(event))}
        onPointerLeave={() => setHover(null)}
      >
        {chapters.length === 0 ? null : (
          <div class="lane chapters">
            <span class="lane-label">Chapters</span>
            <div class="lane-track">
              {chapters.map(({ t_end, t_start, title }) => (
                <span
                  key={t_start}
                  title={title}
                  style={{ left: `${t_start * scale}px`, width: `${Math.max(2, (t_end - t_start) * scale - 2)}px` }}
                >
                  {title}
                </span>
              ))}
            </div>
          </div>
        )}
        <Lane kind="evidence" label="Evidence" scale={scale} layers={evidence} />
        {voices.map(({ label, spans }, voice) => (
          <Lane
            key={label}
            kind={`voice voice-${voice}`}
            label={label}
            scale={scale}
            layers={[{ name: "turn", spans }]}
          />
        ))}
        {frames.length === 0 ? null : <FilmStrip selection={selection} scale={scale} width={width} />}
        <div class="over" ref={box}>
          {at === null ? null : (
            <div
              class="span-now"
              style={{ left: `${at.t_start * scale}px`, width: `${Math.max(3, (at.t_end - at.t_start) * scale)}px` }}
            />
          )}
          {hover === null ? null : (
            <div class="hover-time" style={{ left: `${hover * scale}px` }}>
              <span>{clock(hover)}</span>
            </div>
          )}
          <PlayHead selection={selection} scale={scale} />
        </div>
      </div>
    </section>
  )
}
