import { StageFailure } from "../../../src/jobs/model/JobFailure.ts"
import type { PictureMemory } from "../pixels/PictureMemory.ts"
import type { MediaTools } from "./Ffmpeg.ts"
import type { MediaLimits } from "./MediaLimits.ts"

/** What every media stage works with. */
export interface MediaContext {
  readonly tools: MediaTools
  readonly limits: MediaLimits
  /** Threads of the video decoder. More than 2 gain little and cost about 8 % processor time. */
  readonly decode_threads: number
  readonly memory: PictureMemory
}

/** A source that will be the same at the next attempt. */
export const refuse = (code: StageFailure["code"], message: string): StageFailure =>
  new StageFailure({ code, message, retryable: false })

/** Decoder messages of damaged data; it exits with 0 all the same. */
const damage =
  /error while decoding|invalid data|crc mismatch|partial file|corrupt|concealing|truncat|missing reference|invalid nal|header damaged|end of file/iu

/** How many of a decoder's messages speak of damage. */
export const damageCount = (messages: string): number => messages.split("\n").filter((line) => damage.test(line)).length
