import type { Vad } from "../vad/Vad.ts"
import type { Recogniser } from "./Recogniser.ts"
import type { SpeakerEmbedding } from "./SpeakerEmbedding.ts"

/** The opened models of the lane. */
export interface SpeechModels extends AsyncDisposable {
  readonly vad: Vad
  readonly recogniser: Recogniser
  readonly embedding: SpeakerEmbedding
}
