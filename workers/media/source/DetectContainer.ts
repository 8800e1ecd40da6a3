import { Effect } from "effect"
import type { StageFailure } from "../../../src/jobs/model/JobFailure.ts"
import { refuse } from "../ffmpeg/MediaContext.ts"
import { type Container, looksLikePage, sniff } from "./Sniff.ts"

const PAGE = "The source is a web page, not a media file. Give the direct link of the file itself."

/** The container of these first bytes. Fails with `SOURCE_NOT_MEDIA` for bytes that no decoder may see. */
export const detectContainer = (bytes: Uint8Array, content_type = ""): Effect.Effect<Container, StageFailure> => {
  const container = sniff(bytes)
  if (container !== undefined) return Effect.succeed(container)
  if (bytes.length === 0) return Effect.fail(refuse("SOURCE_NOT_MEDIA", "The source is empty."))
  if (looksLikePage(bytes) || /^(text\/html|application\/xhtml)/iu.test(content_type)) {
    return Effect.fail(refuse("SOURCE_NOT_MEDIA", PAGE))
  }
  return Effect.fail(refuse("SOURCE_NOT_MEDIA", "The source is not an audio or video file of a supported kind."))
}
