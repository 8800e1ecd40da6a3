import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"

/** Of the page's clock what is asked of it here: its own types are a browser's. */
interface Clock {
  readonly time: { readonly value: number }
  readonly playing: { readonly value: boolean }
  readonly span: { readonly value: object | null }
  readonly attach: (element: EventTarget) => () => void
  readonly playSpan: (span: { readonly t_start: number; readonly t_end: number }) => void
  readonly seek: (time: number) => void
}
const { Playback }: { readonly Playback: new(duration: number) => Clock } = await import(
  new URL("../../app/playback/Playback.ts", import.meta.url).href
)

/** What a page's video does of itself, by hand. */
class Video extends EventTarget {
  readyState = 1
  error = null
  duration = 100
  paused = true
  currentTime = 0
  muted = false
  playbackRate = 1
  pause(): void {
    this.paused = true
    this.dispatchEvent(new Event("pause"))
  }
  play(): Promise<void> {
    this.paused = false
    this.dispatchEvent(new Event("play"))
    return Promise.resolve()
  }
}

let next: () => void = () => {}

beforeEach(() => {
  vi.stubGlobal("requestAnimationFrame", (frame: () => void) => {
    next = frame
    return 1
  })
  vi.stubGlobal("cancelAnimationFrame", () => {})
  vi.stubGlobal("HTMLMediaElement", { HAVE_METADATA: 1 })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const opened = (readyState: number) => {
  const video = Object.assign(new Video(), { readyState })
  const playback = new Playback(100)
  playback.attach(video)
  return { video, playback }
}

describe("the page's clock", () => {
  it("goes where it is sent while a span plays, and is not held to the span's end any more", () => {
    for (const to of [80, 10]) {
      const { playback, video } = opened(1)
      playback.playSpan({ t_start: 42, t_end: 45 })
      video.currentTime = 43
      next()
      assert.strictEqual(playback.time.value, 43)
      playback.seek(to)
      next()
      assert.deepStrictEqual([playback.time.value, playback.playing.value, playback.span.value], [to, true, null])
    }
  })

  it("plays a span to its end, where it stops", () => {
    const { playback, video } = opened(1)
    playback.playSpan({ t_start: 42, t_end: 45 })
    video.currentTime = 45.1
    next()
    assert.deepStrictEqual([playback.time.value, video.currentTime, video.paused], [45, 45, true])
  })

  it("waits at the moment that was asked for until the footage is there, and plays from it then", () => {
    const { playback, video } = opened(0)
    playback.playSpan({ t_start: 42, t_end: 45 })
    next()
    assert.closeTo(playback.time.value, 42, 0.1)
    video.dispatchEvent(new Event("loadedmetadata"))
    assert.closeTo(video.currentTime, 42, 0.1)
    assert.deepStrictEqual([video.paused, playback.playing.value], [false, true])
  })
})
