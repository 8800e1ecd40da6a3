import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { hear } from "../../../bench/speech/Hearing.ts"
import { extract, type Extracted } from "../../../workers/extraction/Extract.ts"
import { openSpeechModels } from "../../../workers/speech/drivers/OpenSpeechModels.ts"
import { assembleTranscript } from "../../../workers/speech/transcript/TranscriptAssembly.ts"
import { decode, samplesOf } from "../speech/Sounds.ts"
import { type Footage, footage, inputOf, lecture, type Shown, type Turn } from "./Footage.ts"

const text = { type: "string" }
const schema = {
  type: "object",
  properties: {
    summary: { ...text, description: "What it is about, in one or two sentences." },
    presenter: { ...text, description: "Name of the person speaking." },
    price: { type: "number", description: "Price of the plan in dollars." },
    is_new: { type: "boolean", description: "Whether the cellar is new." },
    chapters: { type: "array", items: { type: "object", properties: { title: text, t_start: { type: "number" } } } },
    key_claims: { type: "array", items: { type: "object", properties: { claim: text, speaker: text } } },
    people: { type: "array", items: text }
  }
}

/** The same footage as if the recogniser had been so sure of each word of some segments. */
const heardAt = (
  source: Footage,
  confidence: number,
  which: (index: number) => boolean = () => true
): Footage => ({
  ...source,
  transcript: {
    ...source.transcript,
    segments: source.transcript.segments.map((segment, index) =>
      which(index)
        ? { ...segment, confidence, words: segment.words.map((word) => ({ ...word, confidence })) }
        : segment
    )
  }
})

const spokenSpans = ({ evidence }: Extracted) =>
  evidence.spans.filter(({ citations }) => citations.some(({ source_ref }) => source_ref.startsWith("seg#")))
const reasons = ({ evidence }: Extracted) => Array.from(new Set(evidence.unfilled.map(({ reason }) => reason)))
const claimsOf = ({ graph }: Extracted) => graph.nodes.filter(({ kind }) => kind !== "speaker")

const turns: ReadonlyArray<Turn> = [
  [1, "S1", "Hello, I am Nina Sommer and this is Trail Buddy."],
  [12, "S1", "The cellar is new and you get a warning when rain is coming."],
  [25, "S1", "The price of the plan is five dollars per month."]
]
const shown: ReadonlyArray<Shown> = [[0.5, ["Trail Buddy", "Presenter: Nina Sommer"]]]

describe("speech that was hardly understood", () => {
  it("fills nothing, and says of every field that it was unclear", () => {
    for (const precision of ["strict", "balanced"] as const) {
      const source = footage(turns)
      const out = extract(inputOf(schema, heardAt(source, 0.55), { precision }))
      expect([out.result, spokenSpans(out)]).toEqual([{}, []])
      expect(reasons(out)).toEqual(["source_unclear"])
      expect(out.warnings.map(({ code }) => code)).toContain("SPEECH_UNCLEAR")
      expect(claimsOf(out)).toEqual([])
    }
    expect(spokenSpans(extract(inputOf(schema, footage(turns)))).length).toBeGreaterThan(2)
  })

  it("fills what the screen says, and what is said clearly beside it", () => {
    const { transcript, ...rest } = heardAt(footage(turns, shown), 0.55, (index) => index !== 2)
    const out = extract(inputOf(schema, { ...rest, transcript }))
    expect(out.result).toMatchObject({ presenter: "Nina Sommer", price: 5 })
    expect(out.result).not.toHaveProperty("is_new")
    expect(out.evidence.unfilled.find(({ pointer }) => pointer === "/is_new")).toMatchObject({
      reason: "source_unclear",
      candidates: [{ value: true }]
    })
  })

  it("does not rest on a word that was itself hardly heard, in a sentence that was", () => {
    const source = footage(turns)
    const segments = source.transcript.segments.map((segment) => ({
      ...segment,
      words: segment.words.map((word) => word.text === "five" ? { ...word, confidence: 0.2 } : word)
    }))
    const out = extract(inputOf(schema, { ...source, transcript: { ...source.transcript, segments } }))
    expect(out.result).not.toHaveProperty("price")
    expect(out.result).toMatchObject({ is_new: true })
  })

  it("gives nothing strictly of words that are right seven times in ten, and gives them otherwise", () => {
    const source = heardAt(footage(turns), 0.75)
    const given = extract(inputOf(schema, source, { precision: "balanced" }))
    expect(spokenSpans(given).length).toBeGreaterThan(0)
    const out = extract(inputOf(schema, source, { precision: "strict" }))
    expect([out.result, spokenSpans(out)]).toEqual([{}, []])
    expect(reasons(out)).toContain("source_unclear")
  })

  it("leaves captions alone, whatever stands beside their words", () => {
    const { transcript, ...rest } = heardAt(lecture, 0.1)
    const segments = transcript.segments.map((segment) => ({ ...segment, origin: "captions" as const }))
    const out = extract(inputOf(schema, { ...rest, transcript: { ...transcript, segments } }))
    expect(reasons(out)).not.toContain("source_unclear")
    expect(out.result).toHaveProperty("presenter")
  })
})

const hopeless = fileURLToPath(new URL("../../../../shared/assets/audio/dev/pyannote-sample.flac", import.meta.url))
if (!existsSync(hopeless)) {
  process.stdout.write("Skipped: a hopeless recording, because ../shared/assets is not here.\n")
}
const own = fileURLToPath(new URL("../../../samples/lecture.mp4", import.meta.url))

/** What the real recogniser makes of some sound, and the extraction of that. */
const extracted = async (samples: Float32Array): Promise<Extracted & { readonly language: string | null }> => {
  await using models = await openSpeechModels()
  const { chunks } = await hear(models, samples)
  const duration_seconds = samples.length / 16_000
  const transcript = assembleTranscript({ chunks, captions: null, duration_seconds, hints: {} })
  expect(transcript.segments.length).toBeGreaterThan(0)
  return { ...extract(inputOf(schema, { ...footage([]), transcript })), language: transcript.language }
}

/** White noise of a level beside what is there (a linear congruential generator: the same on every run). */
const noisy = (samples: Float32Array, level: number): Float32Array => {
  let state = 1
  return samples.map((sample) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return sample + level * (state / 2 ** 31 - 1)
  })
}

const isSilent = (out: Extracted & { readonly language: string | null }) => {
  expect([out.result, spokenSpans(out), claimsOf(out)]).toEqual([{}, [], []])
  expect(reasons(out)).toEqual(["source_unclear"])
  expect(out.warnings.map(({ code }) => code)).toContain("SPEECH_UNCLEAR")
  expect(out.language).toBeNull()
}

describe("a hopeless recording", () => {
  it.skipIf(!existsSync(hopeless))("of people talking in loud noise fills nothing from speech", async () => {
    isSilent(await extracted(noisy(samplesOf(await decode(hopeless)), 0.1)))
  })

  it("of a lecture in loud noise fills nothing from speech", async () => {
    isSilent(await extracted(noisy(samplesOf(await decode(own)).subarray(0, 30 * 16_000), 0.1)))
  })
})
