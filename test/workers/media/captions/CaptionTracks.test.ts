import { assert, describe, it } from "@effect/vitest"
import { type CaptionTrack, oneOfEachLanguage } from "../../../../workers/media/captions/CaptionTracks.ts"

const track = (language: string | null, text: string, told: Partial<CaptionTrack> = {}): CaptionTrack => ({
  language,
  is_default: false,
  is_forced: false,
  cues: text === "" ? [] : [{ t_start: 0, t_end: 1, text, language }],
  ...told
})
const chosen = (...tracks: ReadonlyArray<CaptionTrack>) =>
  oneOfEachLanguage(tracks).map(({ cues }) => cues.map(({ text }) => text).join(" "))

describe("oneOfEachLanguage", () => {
  it("takes the default track, else that which says the most", () => {
    assert.deepStrictEqual(chosen(track("en", "plain", { is_default: true }), track("en-GB", "for the deaf")), [
      "plain"
    ])
    assert.deepStrictEqual(chosen(track("en", "plain"), track("en", "for the deaf")), ["for the deaf"])
    const both = { is_default: true }
    assert.deepStrictEqual(chosen(track("en", "plain", both), track("en", "for the deaf", both)), ["for the deaf"])
    assert.deepStrictEqual(chosen(track(null, "some"), track("en", "Hi"), track(null, "others")), ["others", "Hi"])
  })

  it("takes a forced track only where its language has no other, and an empty one never", () => {
    const signs = track("en", "many signs of a film", { is_default: true, is_forced: true })
    assert.deepStrictEqual(chosen(signs, track("en", "words")), ["words"])
    assert.deepStrictEqual(chosen(signs, track("fr", "mots")), ["many signs of a film", "mots"])
    assert.deepStrictEqual(chosen(track("en", "", { is_default: true }), track("en", "words")), ["words"])
  })
})
