import { computed, signal } from "@preact/signals"
import { lastAt } from "../footnotes/Moments.ts"

/** A picture's time is rounded, and a seek to its very beginning can show the one before. */
const frameInside = 0.05

/**
 * One clock for the page: of the footage while it can be played, else of its own, so that kept frames and words can be walked
 * through in time all the same.
 */
export class Playback {
  readonly time = signal(0)
  readonly playing = signal(false)
  readonly duration = signal(0)
  readonly rate = signal(1)
  readonly muted = signal(false)
  readonly captions = signal(false)
  /** `loading` until the first of the footage is known; `stills` where it cannot be played. */
  readonly mode = signal<"loading" | "media" | "stills">("loading")
  /** Why there are only stills. */
  readonly problem = signal<string | null>(null)
  /** The span that is played once; null while playing goes on. */
  readonly span = signal<{ readonly t_start: number; readonly t_end: number } | null>(null)
  readonly ended = computed(() => this.duration.value > 0 && this.time.value >= this.duration.value - 0.01)
  #element: HTMLMediaElement | null = null
  #tick = 0
  #last = 0

  constructor(duration: number) {
    this.duration.value = duration
  }

  attach(element: HTMLMediaElement): () => void {
    this.#element = element
    const listening = new AbortController()
    const on = (name: string, then: () => void) => element.addEventListener(name, then, { signal: listening.signal })
    const known = () => {
      this.mode.value = "media"
      if (Number.isFinite(element.duration)) this.duration.value = element.duration
      if (this.time.value > 0) element.currentTime = this.time.value
      element.muted = this.muted.value
      // Asked for while it was loading.
      if (this.playing.value && element.paused) this.#run()
    }
    on("loadedmetadata", known)
    on("error", () => this.standIn("The footage cannot be played here: kept frames and words stand in."))
    on("play", () => this.#started())
    on("pause", () => (this.playing.value = false))
    on("seeked", () => (this.time.value = element.currentTime))
    on("timeupdate", () => this.#moved(element.currentTime))
    // On a slow machine the first of a file, or its error, comes before anybody listens.
    if (element.readyState >= HTMLMediaElement.HAVE_METADATA) known()
    if (element.error !== null) this.standIn("The footage cannot be played here: kept frames and words stand in.")
    return () => {
      listening.abort()
      this.#element = null
    }
  }

  /** From now on the clock runs by itself. */
  standIn(problem: string): void {
    this.#element = null
    this.mode.value = "stills"
    this.problem.value = problem
  }

  /** The footage can be played after all: the next element that is attached goes on where the clock is. */
  comeBack(): void {
    this.pause()
    this.mode.value = "loading"
    this.problem.value = null
  }

  play(): void {
    this.span.value = null
    this.#run()
  }

  pause(): void {
    this.span.value = null
    if (this.#element !== null) this.#element.pause()
    this.playing.value = false
  }

  toggle(): void {
    // The element is ahead of its event: pressed twice at once, it stops.
    const element = this.mode.value === "media" ? this.#element : null
    if (element === null ? this.playing.value : !element.paused) this.pause()
    else {
      if (this.ended.value) this.seek(0)
      this.play()
    }
  }

  seek(time: number): void {
    const to = Math.min(Math.max(0, time), this.duration.value)
    this.time.value = to
    const span = this.span.value
    // Whoever goes elsewhere while it plays is not to be held to its end.
    if (span !== null && (!this.playing.value || to < span.t_start || to >= span.t_end)) this.span.value = null
    if (this.#element !== null && this.mode.value === "media") this.#element.currentTime = to
  }

  /** To the beginning of a span, without playing. */
  show(span: { readonly t_start: number; readonly t_end: number }): void {
    this.pause()
    this.seek(Math.min(span.t_start + frameInside, Math.max(span.t_start, span.t_end)))
  }

  /** Plays a span once and stops at its end. */
  playSpan(span: { readonly t_start: number; readonly t_end: number }): void {
    this.show(span)
    this.span.value = span
    this.#run()
  }

  setRate(rate: number): void {
    this.rate.value = rate
    if (this.#element !== null) this.#element.playbackRate = rate
  }

  setMuted(muted: boolean): void {
    this.muted.value = muted
    if (this.#element !== null) this.#element.muted = muted
  }

  #run(): void {
    const element = this.#element
    if (element === null || this.mode.value !== "media") return this.#started()
    element.playbackRate = this.rate.value
    // A browser may refuse to begin by itself; then it stays where it is, at the moment.
    element.play().catch(() => (this.playing.value = false))
  }

  #started(): void {
    this.playing.value = true
    this.#last = performance.now()
    cancelAnimationFrame(this.#tick)
    this.#tick = requestAnimationFrame(() => this.#frame())
  }

  /** `timeupdate` comes four times a second; a span of a word is over by then. */
  #frame(): void {
    if (!this.playing.value) return
    const now = performance.now()
    const moved = ((now - this.#last) / 1000) * this.rate.value
    this.#last = now
    // While the footage loads its clock says 0 and ours waits.
    const own = this.mode.value === "loading" ? this.time.value : this.time.value + moved
    this.#moved(this.mode.value === "media" ? this.#element?.currentTime ?? own : own)
    if (this.playing.value) this.#tick = requestAnimationFrame(() => this.#frame())
  }

  #moved(time: number): void {
    const span = this.span.value
    if (span !== null && this.playing.value && time >= span.t_end) {
      this.pause()
      this.seek(span.t_end)
    } else if (time >= this.duration.value && this.#element === null) {
      this.pause()
      this.time.value = this.duration.value
    } else this.time.value = time
  }
}

/** The picture that stands for a moment: the last kept frame before it, or the first of all. */
export const frameAt = <F extends { readonly timestamp: number }>(
  frames: ReadonlyArray<F>,
  times: ReadonlyArray<number>,
  time: number
): F | undefined => frames[Math.max(0, lastAt(times, time))]
