import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import { Transcript } from "../../../../src/artifacts/Transcript.ts"
import type { JobHints } from "../../../../src/jobs/model/JobSpec.ts"
import type { RecognisedChunk, RecognisedPiece } from "../../../../workers/speech/asr/RecognisedChunk.ts"
import { assembleTranscript } from "../../../../workers/speech/transcript/TranscriptAssembly.ts"

const voices = [[1, 0], [0, 1]]

const said = (t_start: number, text: string, speaker = 0): RecognisedPiece => {
  const words = text.split(" ").map((text, i) => ({
    t_start: t_start + i * 0.4,
    t_end: t_start + i * 0.4 + 0.3,
    text,
    confidence: 0.9
  }))
  return { t_start, t_end: t_start + words.length * 0.4, voice: voices[speaker]!, words }
}

const mumbled = (t_start: number, t_end: number, speaker: number): RecognisedPiece => ({
  t_start,
  t_end,
  voice: voices[speaker]!,
  words: []
})

const chunk = (pieces: ReadonlyArray<RecognisedPiece>): RecognisedChunk => ({
  model: "m",
  recognised: true,
  language: "en",
  cased: false,
  voice_spread: null,
  pieces,
  slices: [{ pieces: pieces.length }]
})

const assemble = (
  pieces: ReadonlyArray<RecognisedPiece>,
  hints: JobHints = {},
  captions: Parameters<typeof assembleTranscript>[0]["captions"] = null
) => assembleTranscript({ chunks: [chunk(pieces)], captions, duration_seconds: 100, hints })

const cue = (t_start: number, t_end: number, text: string, language: string | null = "en") => ({
  t_start,
  t_end,
  text,
  language
})

const pieces = fc
  .array(fc.tuple(fc.integer({ min: 3, max: 60 }), fc.double({ min: 0.1, max: 3, noNaN: true }), fc.nat(1)), {
    maxLength: 12
  })
  .map((shapes) => {
    let at = 0
    return shapes.map(([count, gap, speaker]) => {
      const piece = said(
        at + gap,
        Array.from({ length: count }, (_, i) => ["i", "may", "see", "friday's"][i % 4]).join(" "),
        speaker
      )
      at = piece.t_end
      return piece
    })
  })
const cues = fc.array(
  fc.record({
    t_start: fc.double({ min: 0, max: 80, noNaN: true }),
    seconds: fc.double({ min: 0.1, max: 9, noNaN: true }),
    text: fc.array(fc.constantFrom("Hello,", "world!", "Ünïcode", "42"), { minLength: 1, maxLength: 9 })
  })
).map((all) => all.map(({ seconds, t_start, text }) => cue(t_start, t_start + seconds, text.join("  "))))

const labels = (pieces: ReadonlyArray<RecognisedPiece>, participants: ReadonlyArray<string>) =>
  assemble(pieces, { participants, num_speakers: new Set(pieces.map(({ voice }) => voice)).size })
    .speakers.map(({ label }) => label)

describe("assembleTranscript", () => {
  it("keeps its promises for any speech, any captions and any hints", () => {
    const hints = fc.record({
      captions: fc.constantFrom("prefer" as const, "ignore" as const),
      vocabulary: fc.array(fc.constantFrom("SEE", "Friday's", "may see"))
    }, { requiredKeys: [] })
    fc.assert(fc.property(pieces, cues, hints, (pieces, cues, hints) => {
      const transcript = assemble(pieces, hints, cues)
      Schema.decodeSync(Transcript)(transcript)
      let last = 0
      transcript.segments.forEach((segment, i) => {
        assert.strictEqual(segment.id, `seg#${String(i + 1).padStart(6, "0")}`)
        assert.strictEqual(segment.text, segment.words.map(({ text }) => text).join(" "))
        assert.isNotEmpty(segment.words)
        assert.isAtLeast(segment.t_start, last)
        assert.isAtMost(segment.t_end, 100)
        last = segment.t_start
        let at = segment.t_start
        for (const word of segment.words) {
          assert.isAtLeast(word.t_start, at)
          assert.isAtLeast(word.t_end, word.t_start)
          at = word.t_start
        }
        assert.isAtMost(segment.words.at(-1)!.t_end, segment.t_end)
        assert.isTrue(segment.speaker === null || transcript.speakers.some(({ id }) => id === segment.speaker))
      })
      let end = 0
      for (const { speaker, t_end, t_start } of transcript.turns) {
        assert.isAtLeast(t_start, end)
        assert.isAbove(t_end, t_start)
        assert.isAtMost(t_end, 100)
        assert.isTrue(transcript.speakers.some(({ id }) => id === speaker))
        end = t_end
      }
    }))
  })

  it("is the same whatever the order in which chunks arrive", () => {
    const [a, b] = [chunk([said(0, "one two"), said(3, "three", 1)]), chunk([said(10, "four")])]
    const parts = { captions: null, duration_seconds: 20, hints: {} }
    assert.deepStrictEqual(
      assembleTranscript({ chunks: [b, a], ...parts }),
      assembleTranscript({ chunks: [a, b], ...parts })
    )
  })

  it("starts a segment where somebody else speaks and where a sentence ends, and writes it as one", () => {
    const { segments, text } = assemble([
      said(0, "i think so"),
      said(1.3, "and so do we"),
      said(4, "see you on friday", 1),
      said(8, "bye", 0)
    ], { num_speakers: 2 })
    assert.deepStrictEqual(segments.map(({ speaker, text }) => [speaker, text]), [
      ["S1", "I think so, and so do we."],
      ["S2", "See you on Friday."],
      ["S1", "Bye."]
    ])
    assert.strictEqual(text, "I think so, and so do we. See you on Friday. Bye.")
  })

  it("cuts a monologue without pauses into segments of at most 20 s, with one full stop", () => {
    const { segments } = assemble([said(0, Array.from({ length: 150 }, () => "word").join(" "))])
    assert.isAbove(segments.length, 2)
    for (const { t_end, t_start } of segments) assert.isAtMost(t_end - t_start, 20)
    assert.strictEqual(segments.filter(({ text }) => text.endsWith(".")).length, 1)
  })

  it("writes the caller's terms as the caller does, and only whole ones", () => {
    const { segments } = assemble([said(0, "ask kestrel nine about the kestrel")], { vocabulary: ["Kestrel NINE"] })
    assert.strictEqual(segments[0]!.text, "Ask Kestrel NINE about the kestrel.")
  })

  it("names the only speaker after the only participant, and others only when they introduce themselves", () => {
    assert.deepStrictEqual(labels([said(0, "hello there everyone")], ["Ada Lovelace"]), ["Ada Lovelace"])
    const two = [said(0, "my name is ada lovelace and this is bob"), said(8, "hello there everyone", 1)]
    assert.deepStrictEqual(labels(two, ["Bob Hooper", "Ada Lovelace"]), ["Ada Lovelace", "Speaker 2"])
    assert.deepStrictEqual(labels(two, ["Ada Smith", "Ada Jones"]), ["Speaker 1", "Speaker 2"])
    const cased = [said(0, "Hello, My name is Ada Lovelace."), said(8, "Hi, I’m Grace, nice to meet you.", 1)]
    assert.deepStrictEqual(labels(cased, ["Ada Lovelace", "Grace O'Hara"]), ["Ada Lovelace", "Grace O'Hara"])
    const called = [said(0, "That is who I am. Grace, go on."), said(8, "Thanks, that is kind.", 1)]
    assert.deepStrictEqual(labels(called, ["Ada Lovelace", "Grace O'Hara"]), ["Speaker 1", "Speaker 2"])
  })

  it("sets captions beside what is heard, with a speaker where one is heard", () => {
    const transcript = assemble([said(1, "helo wurld")], {}, [cue(1, 1.8, "Hello, world!"), cue(30, 32, "[Music]")])
    assert.deepStrictEqual(transcript.segments.map(({ origin, speaker, text }) => [origin, speaker, text]), [
      ["asr", "S1", "Helo wurld."],
      ["captions", "S1", "Hello, world!"],
      ["captions", null, "[Music]"]
    ])
    assert.strictEqual(transcript.text, "Hello, world! [Music]")
    assert.deepStrictEqual(transcript.segments[1]!.words.map(({ confidence, text }) => [text, confidence]), [
      ["Hello,", 1],
      ["world!", 1]
    ])
  })

  it("leaves out what captions say better when they are preferred, and captions when they are ignored", () => {
    const heard = [said(1, "helo wurld"), said(20, "only heard")]
    const captions = [cue(0.9, 2, "Hello, world!")]
    const texts = (hints: JobHints) => assemble(heard, hints, captions).segments.map(({ text }) => text)
    assert.deepStrictEqual(texts({ captions: "prefer" }), ["Hello, world!", "Only heard."])
    assert.deepStrictEqual(texts({ captions: "ignore" }), ["Helo wurld.", "Only heard."])
  })

  it("reads captions of one language only: the wanted one, else that of the first cue", () => {
    const captions = [cue(0, 1, "Guten Tag", "de"), cue(0, 1, "Good day", "en-GB")]
    const texts = (hints: JobHints) => assemble([], hints, captions).segments.map(({ text }) => text)
    assert.deepStrictEqual(texts({ language: "en" }), ["Good day"])
    assert.deepStrictEqual(texts({}), ["Guten Tag"])
  })

  it("knows a language by any of its codes, and tells it as BCP 47 has it", () => {
    const captions = [cue(0, 1, "Bonjour", "fre"), cue(0, 1, "Good day", "eng")]
    const told = (hints: JobHints) => {
      const { language, text } = assemble([], hints, captions)
      return [language, text]
    }
    assert.deepStrictEqual(told({ language: "en" }), ["en", "Good day"])
    assert.deepStrictEqual(told({ language: "eng" }), ["en", "Good day"])
    assert.deepStrictEqual(told({ language: "und" }), ["fr", "Bonjour"])
  })

  it("reads what is heard beside a cue in its text, and leaves the segments as they are", () => {
    const { segments, text } = assemble([said(0, "we sold nine boats in may")], {}, [cue(0.7, 1.2, "[bell]")])
    assert.deepStrictEqual(segments.map(({ text }) => text), ["We sold nine boats in May.", "[bell]"])
    assert.strictEqual(text, "We sold boats in May. [bell]")
  })

  it("is absent and empty for silence, without an error", () => {
    assert.deepStrictEqual(
      assembleTranscript({ chunks: [], captions: null, duration_seconds: 5, hints: {} }),
      {
        language: null,
        duration_seconds: 5,
        text: "",
        speakers: [],
        segments: [],
        turns: [],
        audio_branch: "absent",
        model: null
      }
    )
    assert.strictEqual(assemble([{ ...said(0, "x"), words: [] }]).audio_branch, "absent")
  })

  it("counts for the speaker what is said between words without a word, and never as a segment", () => {
    const { segments, speakers, turns } = assemble([
      said(0, "one two three four five"),
      mumbled(2, 4, 0),
      mumbled(4, 7, 1),
      said(8, "six seven eight nine ten", 1)
    ])
    assert.deepStrictEqual(segments.map(({ speaker, text }) => [speaker, text]), [
      ["S1", "One two three four five."],
      ["S2", "Six seven eight nine ten."]
    ])
    assert.deepStrictEqual(turns, [
      { speaker: "S1", t_start: 0, t_end: 4 },
      { speaker: "S2", t_start: 4, t_end: 6.9 },
      { speaker: "S2", t_start: 8, t_end: 9.9 }
    ])
    assert.deepStrictEqual(speakers.map(({ speaking_seconds }) => speaking_seconds), [4, 4.8])
  })

  it("counts nothing of a slice without any word: music and machines are nobody", () => {
    const spoken = said(0, "one two three")
    const music = { ...spoken, t_start: 30, t_end: 33, voice: voices[1]!, words: [] }
    const parts = { captions: null, duration_seconds: 100, hints: { num_speakers: 2 } }
    const alone = assembleTranscript({ chunks: [chunk([spoken])], ...parts })
    const heard = { ...chunk([spoken, music]), slices: [{ pieces: 1 }, { pieces: 1 }] }
    assert.deepStrictEqual(assembleTranscript({ chunks: [heard], ...parts }), alone)
    assert.strictEqual(alone.turns.length, 1)
  })

  it("says where speakers overlap within the source's time, where the models hear it, and says nothing of it where they cannot", () => {
    const pieces = [said(0, "one two three four"), said(1.6, "five six")]
    const frames = [[0.8, 0], [0.8, 0], [0.8, 0.7], [0, 0.9], [0, 0.9], [0.8, 0.9]]
    const activity = {
      channels: 2,
      frame_seconds: 0.1,
      probabilities: Float32Array.from(frames.flatMap((row) => Array.from({ length: 4 }, () => row)).flat())
    }
    const parts = { chunks: [chunk(pieces)], captions: null, hints: { max_speakers: 2 } }
    const told = assembleTranscript({ ...parts, activity, duration_seconds: 2.3 })
    assert.deepStrictEqual(told.overlaps, [
      { t_start: 0.8, t_end: 1.2, speakers: ["S1", "S2"] },
      { t_start: 2, t_end: 2.3, speakers: ["S1", "S2"] }
    ])
    assert.deepStrictEqual(told.segments.map(({ speaker, text }) => [speaker, text]), [
      ["S1", "One two three."],
      ["S2", "Four five six."]
    ])
    assert.notProperty(assembleTranscript({ ...parts, duration_seconds: 2.3 }), "overlaps")
  })

  it("tells voices apart but guesses no word of a language that the recogniser does not know", () => {
    const heard = {
      ...chunk([]),
      recognised: false,
      language: null,
      pieces: [{ ...said(0, "x x x x x x x x"), words: [] }],
      slices: [{ pieces: 1 }]
    }
    const transcript = assembleTranscript({
      chunks: [heard],
      captions: null,
      duration_seconds: 5,
      hints: { language: "de" }
    })
    assert.strictEqual(transcript.audio_branch, "present")
    assert.strictEqual(transcript.language, "de")
    assert.deepStrictEqual(transcript.segments, [])
    assert.strictEqual(transcript.speakers.length, 1)
    assert.deepStrictEqual(transcript.turns, [{ speaker: "S1", t_start: 0, t_end: 3.1 }])
  })
})
