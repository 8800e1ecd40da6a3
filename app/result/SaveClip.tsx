import type { Place } from "../footnotes/Support.ts"
import { useDoing } from "../parts/Doing.ts"
import type { Selection } from "../selection/Selection.ts"

/** The moment that is cited as a film or as moving pictures, to send to somebody. */
export function SaveClip({ place, selection }: { readonly place: Place; readonly selection: Selection }) {
  const { data, footage } = selection
  const { busy, problem, run } = useDoing()
  const { clip, media_url } = footage
  if (clip === undefined || media_url === null) return null
  const formats = data.frames.length === 0 ? (["mp4"] as const) : (["mp4", "gif"] as const)
  return (
    <div class="save-clip">
      <span class="small muted" role="status">{busy ? "Cutting the clip…" : "Save this moment as"}</span>
      {formats.map((format) => (
        <button
          key={format}
          type="button"
          class="quiet"
          disabled={busy}
          onClick={() => void run(() => clip(place, format))}
        >
          <span class="hidden">a clip,</span> {format.toUpperCase()}
        </button>
      ))}
      <p class="problem" role="alert">{problem}</p>
    </div>
  )
}
