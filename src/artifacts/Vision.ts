import { Schema } from "effect"
import { Confidence, Seconds } from "./Moment.ts"

const Fraction = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

/** `[x, y, width, height]` in fractions of the frame. */
const Box = Schema.Tuple([Fraction, Fraction, Fraction, Fraction])

/** One line of text on the frame, and where it stands. */
export const TextLine = Schema.Struct({
  text: Schema.String,
  box: Box,
  confidence: Confidence
}).annotate({ identifier: "TextLine" })
export type TextLine = typeof TextLine.Type

/** What a frame as a whole is, or one thing on it: then with the box that it fills. */
const Label = Schema.Struct({ name: Schema.String, confidence: Confidence, box: Schema.optionalKey(Box) })
  .annotate({ identifier: "Label" })

/**
 * What is on one kept frame: its text in reading order, labels, and a sentence that says only what was measured, after one of
 * a model's own (`model_sentence`) where the stack has such a model. Only that one can be evidence of the channel `vision`.
 */
export const FrameDescription = Schema.Struct({
  frame_id: Schema.String,
  source_ref: Schema.String,
  timestamp: Seconds,
  description: Schema.String,
  model_sentence: Schema.optionalKey(Schema.String),
  text: Schema.Array(TextLine),
  labels: Schema.Array(Label)
}).annotate({ identifier: "FrameDescription" })
export type FrameDescription = typeof FrameDescription.Type

export const Vision = Schema.Struct({
  visual_branch: Schema.Literals(["present", "absent"]),
  frames: Schema.Array(FrameDescription),
  model: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Vision" })
export type Vision = typeof Vision.Type
