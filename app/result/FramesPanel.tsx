import { useMemo } from "preact/hooks"
import { clock } from "../footnotes/Moments.ts"
import type { Frame } from "../footnotes/ResultData.ts"
import { VirtualList } from "../parts/VirtualList.tsx"
import type { Selection } from "../selection/Selection.ts"
import { Supports } from "./Supports.tsx"

/** The kept frames with what is on them; a frame tells which values rest on it. */
export function FramesPanel({ selection }: { readonly selection: Selection }) {
  const { data: { frames, vision }, footage, place, reveal, support } = selection
  const described = useMemo(() => new Map(vision.map((frame) => [frame.source_ref, frame])), [])
  const at = frames.findIndex(({ source_ref }) => source_ref === place.value?.source_ref)
  if (frames.length === 0) return <p class="empty">The footage has no picture.</p>
  return (
    <>
      <Supports selection={selection} />
      <VirtualList
        class="frames"
        items={frames}
        keyOf={(frame: Frame) => frame.id}
        estimate={96}
        label="Kept frames"
        reveal={at >= 0 ? at : undefined}
        revealed={reveal.value}
        render={(frame, row) => {
          const description = described.get(frame.source_ref)
          const rests = support.get(frame.source_ref)?.length ?? 0
          const address = footage.frame_url(frame.id)
          const says = `the frame at ${clock(frame.timestamp, 1)}`
          return (
            <button
              type="button"
              class={row === at ? "frame now" : "frame"}
              onClick={() => selection.askFrame(frame, says)}
            >
              <span class="thumb">{address === null ? null : <img src={address} alt="" loading="lazy" />}</span>
              <span class="frame-words">
                <span class="facts">
                  <span class="number">{clock(frame.timestamp, 1)}</span>
                  <span>
                    {rests === 0
                      ? "no value rests on it"
                      : rests === 1
                      ? "1 value rests on it"
                      : `${rests} values rest on it`}
                  </span>
                </span>
                <span dir="auto">{description?.description}</span>
                <span class="muted small lines" dir="auto">
                  {description?.text.map(({ text }) => text).join(" · ")}
                </span>
              </span>
            </button>
          )
        }}
      />
    </>
  )
}
