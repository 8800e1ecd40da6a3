import { type EntryFinder, type EntryMentions, type Material, type Mention, saidBy } from "../../candidates/Mention.ts"
import { asks, type Sentence, supposes } from "../../text/Sentences.ts"
import { sourceConfidence } from "../../text/SourceDocument.ts"
import { likeness, STOP_WORDS, tokenise } from "../../text/Tokens.ts"
import { subjectStems } from "./Chapters.ts"

/** Greetings and thanks are nobody's message. */
const COURTESY =
  /^\W*(?:hello|hi|hey|thanks|thank you|good (?:morning|afternoon|evening|night)|welcome|bye|goodbye|see you)\b/iu

interface Weighed {
  readonly sentence: Sentence
  readonly weight: number
  readonly stems: ReadonlySet<string>
}

/** Sentences worth quoting, most central first: centroid of repeated subject words, early ones and sure ones ahead. */
const weigh = ({ sentences }: Material): ReadonlyArray<Weighed> => {
  const usable = sentences.filter((sentence) => {
    const words = tokenise(sentence.text)
    if (
      words.length < 5 || words.length > 60 || asks(sentence.text) || COURTESY.test(sentence.text) ||
      supposes(sentence.text)
    ) {
      return false
    }
    // A line on screen states something where it has function words; names, labels and bullets have none.
    const functional = words.filter(({ norm }) => STOP_WORDS.has(norm)).length
    return sentence.passage.modality === "audio" || (sentence.passage.line?.heading === false && functional >= 2)
  })
  const stems = usable.map((sentence) => subjectStems({ tokens: tokenise(sentence.text) }))
  const spread = new Map<string, number>()
  const count = new Map<string, number>()
  for (const list of stems) {
    for (const key of list) count.set(key, (count.get(key) ?? 0) + 1)
    for (const key of new Set(list)) spread.set(key, (spread.get(key) ?? 0) + 1)
  }
  const weightOf = (key: string): number =>
    (count.get(key)! >= 2 ? Math.log(1 + count.get(key)!) : 0.2) * Math.log(1 + usable.length / spread.get(key)!)
  return usable.map((sentence, at) => {
    const keys = new Set(stems[at])
    const total = Array.from(keys).reduce((sum, key) => sum + weightOf(key), 0)
    const early = 1 + 0.25 * Math.exp(-at / 8)
    return { sentence, stems: keys, weight: (total / (keys.size + 4)) * early * sourceConfidence(sentence) ** 2 }
  }).toSorted((a, b) => b.weight - a.weight || a.sentence.passage.index - b.sentence.passage.index)
}

const SUMMARY_HEADING = /^(?:in )?(?:summary|recap|conclusions?|key (?:points|takeaways)|takeaways|abstract)\b/iu

/**
 * The statement that says most of the whole, word for word, out of one source: a line of the slide that sums up, else the
 * most central sentence with the next ones of its passage up to 60 words. Extractive: no better than a lead on QMSum.
 */
export const summaryOf = (material: Material): Mention | undefined => {
  for (const slide of material.reading.document.slides) {
    if (slide.heading === null || !SUMMARY_HEADING.test(slide.heading.text)) continue
    const line = slide.lines.find((one) => tokenise(one.text).length >= 5)
    if (line !== undefined) return { value: line.text, span: { passage: line, from: 0, to: line.text.length } }
  }
  const best = weigh(material)[0]?.sentence
  if (best === undefined) return undefined
  let to = best.to
  for (const next of material.sentences) {
    if (next.passage !== best.passage || next.from < to) continue
    if (tokenise(best.passage.text.slice(best.from, next.to)).length > 60) break
    to = next.to
  }
  const span = { passage: best.passage, from: best.from, to }
  return { value: best.passage.text.slice(span.from, span.to), span }
}

/** The sentence of speech that says what a line on screen says, if one does. */
const spokenAs = (shown: Sentence, sentences: ReadonlyArray<Sentence>): Sentence | undefined => {
  let best: { readonly like: number; readonly sentence: Sentence } | undefined
  for (const sentence of sentences) {
    if (sentence.passage.modality !== "audio") continue
    const like = likeness(sentence.text, shown.text)
    if (like >= 0.6 && like > (best?.like ?? 0)) best = { like, sentence }
  }
  return best?.sentence
}

/** Up to ten telling statements in order of time, no two alike, each with its speaker where it is said aloud. */
export const keyClaims: EntryFinder = (material) => {
  const { sentences } = material
  const weighed = weigh(material)
  const wanted = Math.max(1, Math.min(10, Math.round(Math.sqrt(weighed.length * 1.5))))
  const chosen: Array<Weighed> = []
  for (const one of weighed) {
    if (chosen.length >= wanted) break
    const repeats = chosen.some((other) => {
      const common = Array.from(one.stems).filter((key) => other.stems.has(key)).length
      return common / Math.max(1, Math.min(one.stems.size, other.stems.size)) > 0.7
    })
    if (!repeats && one.weight > 0) chosen.push(one)
  }
  return chosen
    .toSorted((a, b) => a.sentence.passage.t_start - b.sentence.passage.t_start || a.sentence.from - b.sentence.from)
    .map(({ sentence }): EntryMentions => {
      const said = sentence.passage.modality === "audio"
        ? sentence
        : spokenAs(sentence, sentences)
      const text: Mention = { value: sentence.text, span: sentence }
      const speaker = said === undefined ? undefined : saidBy(material, said)
      return speaker === undefined ? { text } : { text, speaker }
    })
}
