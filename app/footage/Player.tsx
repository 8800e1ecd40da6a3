import { useComputed, useSignalEffect } from "@preact/signals"
import { useEffect, useRef, useState } from "preact/hooks"
import { percent } from "../footnotes/Wording.ts"
import { Icon } from "../parts/Icons.tsx"
import { frameAt } from "../playback/Playback.ts"
import type { Selection } from "../selection/Selection.ts"
import { ControlBar } from "./ControlBar.tsx"
import { DrawBox } from "./DrawBox.tsx"
import { WordsNow } from "./WordsNow.tsx"

/** The text of a cue is markup of its own. */
const cueText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

function FrameNow({ selection }: { readonly selection: Selection }) {
  const { data, footage, frameTimes, playback } = selection
  const frame = useComputed(() => frameAt(data.frames, frameTimes, playback.time.value)).value
  const address = frame === undefined ? null : footage.frame_url(frame.id)
  if (frame === undefined || address === null) return null
  return <img class="picture" src={address} alt={`The picture at ${frame.timestamp} seconds`} />
}

function EvidenceBox({ selection }: { readonly selection: Selection }) {
  const { box, place, playback } = selection
  const shown = useComputed(() => {
    const [part, at, time] = [box.value, place.value, playback.time.value]
    return selection.draw.value === null && part !== null && at !== null && time >= at.t_start - 0.1 &&
        time <= at.t_end + 0.1
      ? part
      : null
  }).value
  if (shown === null) return null
  const { height, width, x, y } = shown
  return <div class="evidence-box" style={{ left: `${x}%`, top: `${y}%`, width: `${width}%`, height: `${height}%` }} />
}

/** The picture with the box of what is cited, the words that are said, and the controls. */
export function Player({ selection }: { readonly selection: Selection }) {
  const { data, footage, playback } = selection
  const element = useRef<HTMLVideoElement>(null)
  const stage = useRef<HTMLElement>(null)
  const stills = playback.mode.value === "stills"
  const pictures = data.frames.length > 0
  const { height, width } = data.job.source ?? {}
  const [address, setAddress] = useState(footage.media_url)

  // HEVC, MPEG-2, a container that browsers do not open: once, something is made of it that they do.
  useEffect(() => {
    const { media_url, preview } = footage
    if (!stills || media_url === null || preview === undefined || address !== media_url) return
    const left = new AbortController()
    const tell = (fraction: number) => {
      playback.problem.value = `This browser cannot play the footage as it is. A preview is being made (${
        percent(fraction)
      }); kept frames and words stand in.`
    }
    const show = async () => {
      try {
        setAddress(await preview(tell, left.signal))
        playback.comeBack()
      } catch (error) {
        if (left.signal.aborted) return
        playback.problem.value = `The footage cannot be played here: kept frames and words stand in. ${
          error instanceof Error ? error.message : ""
        }`
      }
    }
    void show()
    return () => left.abort()
  }, [stills])
  useEffect(() => (element.current === null ? undefined : playback.attach(element.current)), [stills])
  useEffect(() => {
    if (element.current === null) return
    const track = element.current.addTextTrack("subtitles", "Transcript", data.transcript.language ?? "en")
    for (const { t_end, t_start, text } of data.transcript.segments) {
      if (t_end > t_start) track.addCue(new VTTCue(t_start, t_end, cueText(text)))
    }
    track.mode = "hidden"
  }, [stills])
  useSignalEffect(() => {
    const mode = playback.captions.value ? "showing" : "hidden"
    for (const track of element.current?.textTracks ?? []) track.mode = mode
  })

  return (
    <section class="player" aria-label="Footage" ref={stage}>
      <div class={pictures ? "stage" : "stage sound"}>
        <div class="screen" style={width && height ? { aspectRatio: `${width} / ${height}` } : {}}>
          {stills || address === null
            ? <FrameNow selection={selection} />
            : (
              // The words are a track that is made of the transcript, and stand beside it as text.
              <video
                class="picture"
                ref={element}
                src={address}
                preload="metadata"
                playsInline
                aria-label={data.job.title ?? "The footage"}
                onClick={() => playback.toggle()}
              />
            )}
          {pictures ? <EvidenceBox selection={selection} /> : <WordsNow selection={selection} />}
          {pictures ? <DrawBox selection={selection} /> : null}
          {playback.captions.value && stills && pictures ? <WordsNow selection={selection} /> : null}
        </div>
      </div>
      <ControlBar playback={playback} fullScreen={() => void stage.current?.requestFullscreen?.()} stills={stills} />
      {playback.problem.value === null ? null : (
        <p class="notice" role="status">
          <Icon name="question" /> {playback.problem.value}
        </p>
      )}
    </section>
  )
}
