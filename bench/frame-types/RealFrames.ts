import type { FrameType } from "../../workers/vision/description/FrameType.ts"

/** A clip or picture of the shared assets and what it shows at which seconds; `null` is none of the types. */
export interface RealFrames {
  readonly file: string
  readonly type: FrameType | null
  readonly seconds: ReadonlyArray<number>
}

const of = (type: FrameType | null, seconds: ReadonlyArray<number>, ...files: ReadonlyArray<string>) =>
  files.map((file): RealFrames => ({ file, type, seconds }))

/** Looked at one by one. Nothing of it was trained on. */
export const realFrames: ReadonlyArray<RealFrames> = [
  ...of(
    "scene",
    [0.5, 4, 8],
    "video/dev/bottle-detection.mp4",
    "video/dev/car-detection.mp4",
    "video/dev/exo_bbb.mp4",
    "video/dev/rabbit-silent.mp4",
    "video/dev/fb_chair-orig-22-sd-bar.mp4"
  ),
  ...of("scene", [0.5], "video/dev/exo_bear-vp9.webm", "video/dev/nat1080_6s.mp4"),
  ...of("scene", [0.5, 2, 4], "video/dev/exo_desks.3gp"),
  ...of("scene", [0], "images/dev/coffee.png", "images/dev/motorcycle_left.png"),
  ...of("talking_head", [0.2, 0.8], "video/dev/exo_sample_av1.mp4"),
  ...of("talking_head", [0.5, 2], "video/dev/iot_asl_book.mkv"),
  ...of("talking_head", [1, 3, 5, 7], "video/dev/transcribe-anything-video.mp4"),
  ...of("talking_head", [0], "images/dev/astronaut.png"),
  ...of("code", [1, 5, 9], "video/dev/scroll.mp4"),
  ...of("terminal", [4, 8, 12], "video/dev/typing.mp4"),
  ...of("slide", [5, 20, 40, 60], "video/dev/composed-lecture.mp4", "video/dev/composed-panel.mp4"),
  ...of(
    "slide",
    [1, 5, 9, 13],
    "video/dev/cursor.mp4",
    "video/dev/slides_builds.mp4",
    "video/dev/slides_pip.mp4",
    "video/dev/slides_smalltext.mp4",
    "video/dev/talk_1min.mp4",
    "video/dev/tiny16.mp4",
    "video/dev/whiteboard.mp4"
  ),
  ...of(
    "slide",
    [0],
    ...[0, 1, 2, 3, 4].map((n) => `images/dev/slide-0-${n}.png`),
    ...[0, 1, 2, 3].map((n) => `images/dev/slide-1-${n}.png`)
  ),
  ...of("title_card", [2.5], "video/dev/perspective-video.mp4"),
  ...of(
    null,
    [1, 4],
    "video/dev/mb_video-h265.mp4",
    "video/dev/late_audio.mkv",
    "video/dev/mb_cursed-vfr.mp4"
  ),
  ...of(null, [0], "images/dev/page.png")
]
