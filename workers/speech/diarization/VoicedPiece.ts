/** A piece of speech with its voice, and how long it lasts. */
export interface VoicedPiece {
  readonly t_start: number
  readonly t_end: number
  readonly voice: ReadonlyArray<number> | null
}

/** How many speakers the caller knows or bounds. `num_speakers` outranks the others. */
export interface SpeakerBounds {
  readonly num_speakers?: number
  readonly min_speakers?: number
  readonly max_speakers?: number
}
