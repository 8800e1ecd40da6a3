/** What the bar shows: the running stage, and how much of the media is through. */
export interface ProgressState {
  readonly stage: string | null
  readonly fraction: number
  readonly duration_seconds: number | null
}

const cells = 28

/** `[██████░░░░] 43 %` for a part of 1. */
export const renderBar = (fraction: number): string => {
  const filled = Math.round(fraction * cells)
  return `[${"█".repeat(filled)}${"░".repeat(cells - filled)}] ${String(Math.floor(fraction * 100)).padStart(3)} %`
}

/** `[██████░░░░] 43 %  transcribe  36.1 / 84.0 s`: one line, never wider than `columns`. */
export const renderProgress = (state: ProgressState, columns: number): string => {
  const fraction = Math.min(1, Math.max(0, state.fraction))
  const media = state.duration_seconds === null
    ? ""
    : `  ${(fraction * state.duration_seconds).toFixed(1)} / ${state.duration_seconds.toFixed(1)} s`
  return `${renderBar(fraction)}  ${state.stage ?? "waiting"}${media}`.slice(0, Math.max(1, columns - 1))
}

/**
 * Shows a state on `stream`: `line` in place on a terminal, else `plain` once each time that it changes, so that a log
 * stays readable. `clear` takes it away.
 */
export const makeStatusLine = (stream: NodeJS.WriteStream) => {
  let shown = ""
  return {
    draw: (line: string, plain: string): void => {
      const next = stream.isTTY ? line : plain
      if (next === shown) return
      stream.write(stream.isTTY ? `\r\u001B[2K${next}` : `${next}\n`)
      shown = next
    },
    clear: (): void => {
      if (stream.isTTY && shown !== "") stream.write("\r\u001B[2K")
      shown = ""
    }
  }
}

/** Draws a job's progress on `stream`: as a bar on a terminal, else one line per stage. */
export const makeProgressBar = (stream: NodeJS.WriteStream) => {
  const status = makeStatusLine(stream)
  return {
    draw: (state: ProgressState): void => status.draw(renderProgress(state, stream.columns), state.stage ?? "waiting"),
    clear: status.clear
  }
}
