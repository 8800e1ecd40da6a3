import { roundSeconds } from "../../../src/artifacts/Moment.ts"
import type { Segment, Word } from "../../../src/artifacts/Transcript.ts"
import type { Cues } from "../../../src/jobs/model/StageIo.ts"
import { baseLanguage } from "../../../src/text/LanguageTag.ts"

/** The cues of one language: the wanted one where a track has it, else that of the first cue. */
export const cuesOfOneLanguage = (cues: Cues, wanted: string | undefined): Cues => {
  const asked = baseLanguage(wanted)
  const isTold = asked !== null && cues.some(({ language }) => baseLanguage(language) === asked)
  const kept = isTold ? asked : baseLanguage(cues[0]!.language)
  return cues
    .filter(({ language }) => baseLanguage(language) === kept)
    .toSorted((a, b) => a.t_start - b.t_start || a.t_end - b.t_end)
}

/**
 * A cue as a segment, `id` still empty. Its words share the cue's time by their number of characters, and are certain:
 * somebody wrote them. Null where a cue has no words.
 */
export const segmentOfCue = (cue: Cues[number], speaker: string | null): Segment | null => {
  const texts = cue.text.split(/\s+/u).filter((word) => word !== "")
  if (texts.length === 0) return null
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  const words: Array<Word> = []
  let before = 0
  const moment = () => roundSeconds(cue.t_start + ((cue.t_end - cue.t_start) * before) / characters)
  for (const text of texts) {
    const t_start = moment()
    before += text.length
    words.push({ t_start, t_end: moment(), text, confidence: 1 })
  }
  return {
    id: "",
    origin: "captions",
    t_start: roundSeconds(cue.t_start),
    t_end: roundSeconds(cue.t_end),
    speaker,
    text: texts.join(" "),
    confidence: 1,
    words
  }
}
