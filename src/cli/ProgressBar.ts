/** What the bar shows: the running stage, and how much of the media is through. */
export interface ProgressState {
  readonly stage: string | null
  readonly fraction: number
  readonly duration_seconds: number | null
}

const cells = 28

/** `[██████░░░░] 43 %  transcribe  36.1 / 84.0 s`: one line, never wider than `columns`. */
export const renderProgress = (state: ProgressState, columns: number): string => {
  const fraction = Math.min(1, Math.max(0, state.fraction))
  const filled = Math.round(fraction * cells)
  const bar = "█".repeat(filled) + "░".repeat(cells - filled)
  const media = state.duration_seconds === null
    ? ""
    : `  ${(fraction * state.duration_seconds).toFixed(1)} / ${state.duration_seconds.toFixed(1)} s`
  return `[${bar}] ${String(Math.floor(fraction * 100)).padStart(3)} %  ${state.stage ?? "waiting"}${media}`
    .slice(0, Math.max(1, columns - 1))
}

/**
 * Draws progress on `stream`: in place on a terminal, else one line per stage, so that a log stays readable. `clear` takes
 * the bar away.
 */
export const makeProgressBar = (stream: NodeJS.WriteStream) => {
  let shown = ""
  return {
    draw: (state: ProgressState): void => {
      const line = stream.isTTY ? renderProgress(state, stream.columns) : state.stage ?? "waiting"
      if (line === shown) return
      stream.write(stream.isTTY ? `\r\u001B[2K${line}` : `${line}\n`)
      shown = line
    },
    clear: (): void => {
      if (stream.isTTY && shown !== "") stream.write("\r\u001B[2K")
      shown = ""
    }
  }
}
