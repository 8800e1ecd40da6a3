import type { Recogniser } from "../../workers/speech/asr/Recogniser.ts"
import type { SpeechRoles } from "../../workers/speech/asr/SpeechRoles.ts"
import { openCtcRecogniser } from "../../workers/speech/drivers/CtcRecogniser.ts"
import { openSherpaRecogniser } from "../../workers/speech/drivers/SherpaRecogniser.ts"

/** Recognisers that run the network of the lane's own one without its words: the best letter of every frame. */
export interface Comparisons {
  readonly greedy?: Recogniser
  /** `sherpa-onnx-node`: another implementation of the features, the runtime and the decoder. */
  readonly sherpa?: Recogniser
}

/** Opens what a CTC network can be compared with; what cannot be opened here is told to `say` and left out. */
export const openComparisons = async ({ asr }: SpeechRoles, say: (text: string) => void): Promise<Comparisons> => {
  const { model, tokens } = asr.files
  if (asr.driver !== "ctc" || model === undefined || tokens === undefined) {
    say(`${asr.name} is no CTC network: nothing is compared with it`)
    return {}
  }
  const greedy = await openCtcRecogniser({ model, tokens }, { name: asr.name, options: asr.options })
  try {
    const options = { type: "nemo_ctc", languages: ["en"] }
    return { greedy, sherpa: await openSherpaRecogniser({ name: asr.name, files: { model, tokens }, options }) }
  } catch (error) {
    say(`sherpa-onnx is left out: ${error instanceof Error ? error.message : String(error)}`)
    return { greedy }
  }
}
