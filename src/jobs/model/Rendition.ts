import { Schema } from "effect"
import { BlobRef } from "../../storage/BlobRef.ts"

/**
 * What is to be made of a job's source to be looked at: all of it as browsers play it (`preview`), a part of it (`clip`), or the
 * picture of one moment (`frame`). Seconds of the source; a preview has none, a frame only where it begins.
 */
export const RenderInput = Schema.Struct({
  name: Schema.String,
  kind: Schema.Literals(["preview", "clip", "frame"]),
  format: Schema.Literals(["mp4", "gif", "jpeg"]),
  source: BlobRef,
  t_start: Schema.Finite,
  t_end: Schema.NullOr(Schema.Finite)
})
export type RenderInput = typeof RenderInput.Type

export const RenderOutput = Schema.Struct({ blob: BlobRef, content_type: Schema.String })
export type RenderOutput = typeof RenderOutput.Type

/** What one may take on the slowest machine: an hour of source is encoded in ten minutes on two idle cores. */
export const renderSeconds: { readonly [K in RenderInput["kind"]]: number } = {
  preview: 8 * 3600,
  clip: 600,
  frame: 120
}
