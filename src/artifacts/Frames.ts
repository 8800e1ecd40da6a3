import { Schema } from "effect"
import { Seconds } from "./Moment.ts"

/** `frame#NNNNNN`: the index of the sampled frame, the same on every run over the same source. */
const FrameRef = Schema.String.check(Schema.isPattern(/^frame#\d{6,}$/u))

/** One sampled frame. Only a kept frame has an image; the others point at it by `cluster`. */
export const Frame = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^frm_\d{6,}$/u)),
  source_ref: FrameRef,
  timestamp: Seconds,
  cluster: Schema.Int,
  phash: Schema.String.check(Schema.isPattern(/^[0-9a-f]{16}$/u)),
  kept: Schema.Boolean,
  width: Schema.Int,
  height: Schema.Int
}).annotate({ identifier: "Frame" })
export type Frame = typeof Frame.Type

/** Every sampled frame in time order; `kept` of `sampled` carry new information. */
export const Frames = Schema.Struct({
  visual_branch: Schema.Literals(["present", "absent"]),
  sampled: Schema.Int,
  kept: Schema.Int,
  frames: Schema.Array(Frame)
}).annotate({ identifier: "Frames" })
export type Frames = typeof Frames.Type

export const frameRef = (index: number): string => `frame#${String(index).padStart(6, "0")}`
export const frameId = (index: number): string => `frm_${String(index).padStart(6, "0")}`
