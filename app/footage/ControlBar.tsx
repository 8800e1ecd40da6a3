import { clock, spokenClock } from "../footnotes/Moments.ts"
import { Icon } from "../parts/Icons.tsx"
import type { Playback } from "../playback/Playback.ts"

const rates = [0.5, 0.75, 1, 1.25, 1.5, 2]

function Seek({ playback }: { readonly playback: Playback }) {
  const { duration, time } = playback
  return (
    <input
      class="seek"
      type="range"
      min={0}
      max={duration.value}
      step={0.1}
      value={time.value}
      style={{ "--played": `${duration.value === 0 ? 0 : (time.value / duration.value) * 100}%` }}
      aria-label="Moment"
      aria-valuetext={`${spokenClock(time.value)} of ${spokenClock(duration.value)}`}
      onInput={(event) => playback.seek(Number(event.currentTarget.value))}
    />
  )
}

interface Properties {
  readonly playback: Playback
  readonly stills: boolean
  readonly fullScreen: () => void
}

export function ControlBar({ fullScreen, playback, stills }: Properties) {
  const { captions, duration, muted, playing, rate, time } = playback
  return (
    <div class="control-bar" role="group" aria-label="Player">
      <button
        type="button"
        class="icon-button strong"
        aria-label={playing.value ? "Pause" : "Play"}
        onClick={() => playback.toggle()}
      >
        <Icon name={playing.value ? "pause" : "play"} />
      </button>
      <Seek playback={playback} />
      <span class="times">
        {clock(time.value)} <span class="muted">/ {clock(duration.value)}</span>
      </span>
      <select
        class="rate"
        aria-label="Speed"
        value={rate.value}
        onChange={(event) => playback.setRate(Number(event.currentTarget.value))}
      >
        {rates.map((one) => <option key={one} value={one}>{one}×</option>)}
      </select>
      {stills ? null : (
        <button
          type="button"
          class="icon-button"
          aria-label="Sound"
          aria-pressed={!muted.value}
          onClick={() => playback.setMuted(!muted.value)}
        >
          <Icon name={muted.value ? "mute" : "sound"} />
        </button>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label="Captions"
        aria-pressed={captions.value}
        onClick={() => (captions.value = !captions.value)}
      >
        <Icon name="captions" />
      </button>
      <button type="button" class="icon-button full" aria-label="Full screen" onClick={fullScreen}>
        <Icon name="full" />
      </button>
    </div>
  )
}
