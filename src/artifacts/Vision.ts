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

/** What is seen of one kind of thing over the whole source: numbers that its frames show, and no more than they can. */
const SeenKind = Schema.Struct({
  name: Schema.String.annotate({ description: "The kind, as in `labels`." }),
  most_at_once: Schema.Int.annotate({ description: "The most of them on one kept frame." }),
  places: Schema.Int.annotate({
    description:
      "In how many places one was seen, never fewer than `most_at_once`. Where it is more they came one after another, moved, or the camera did; which of them are the same is not known."
  }),
  frames: Schema.Int.annotate({ description: "On how many kept frames." }),
  t_start: Seconds.annotate({ description: "The moment of the first of these frames, in seconds." }),
  t_end: Seconds.annotate({ description: "The moment of the last, in seconds." })
}).annotate({ identifier: "SeenKind" })

export const Vision = Schema.Struct({
  visual_branch: Schema.Literals(["present", "absent"]),
  frames: Schema.Array(FrameDescription),
  kinds: Schema.optionalKey(Schema.Array(SeenKind)),
  model: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Vision" })
export type Vision = typeof Vision.Type
