import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { scoredWords, toCtm, toRttm, toStm } from "../../src/artifacts/ScoringFiles.ts"
import { said, transcripts } from "./arbitraryTranscript.ts"

/** NIST's scoring toolkit: Debian's `sctk`. */
const toolkit = "/usr/lib/sctk/bin"
const missing = !existsSync(toolkit)
if (missing) {
  process.stdout.write(`The scoring files are not shown to NIST's tools: ${toolkit} is not here (Debian: sctk)\n`)
}

const folder = mkdtempSync(join(tmpdir(), "scoring-"))
const write = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

/** What a validator says against a file; nothing when it accepts it. */
const complaints = (validator: string, file: string, ...options: ReadonlyArray<string>): string => {
  const { status, stdout } = spawnSync(join(toolkit, validator), ["-i", file, ...options], { encoding: "utf8" })
  return status === 0 ? (stdout.match(/^(?:ERROR|WARNING).*$/gmu) ?? []).join("\n") : stdout
}

/** Words of the reference and errors, as `sclite` counts them. */
const score = (reference: string, hypothesis: string) => {
  const printed = execFileSync(
    join(toolkit, "sclite"),
    ["-r", reference, "stm", "-h", hypothesis, "ctm", "-o", "rsum", "stdout"],
    { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }
  )
  const [words, , , , , errors] = /\| Sum\s*\|([^|]*)\|([^|]*)\|/u.exec(printed)!.slice(1).join(" ").trim().split(
    /\s+/u
  )
    .slice(1).map(Number)
  return { words, errors }
}

const kept = (text: string) => text.normalize("NFC").toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, "")

const interview = said(
  ["S1", "Good morning, Dr. O’Neill: how’s the well-known (new) engine?"],
  ["S2", "Fine -- it does 3.5 knots."],
  [null, "♪ ;; ♪"]
)

describe("files for scoring", () => {
  it("STM has a line per segment with the words as they are compared", () => {
    assert.strictEqual(
      toStm(interview, "job_1"),
      "job_1 1 S1 0.000 2.700 <O> good morning dr o'neill how's the well known new engine\n"
        + "job_1 1 S2 2.700 4.500 <O> fine it does 3 5 knots\n"
    )
  })

  it("CTM has a line per word with its time, confidence and speaker", () => {
    assert.deepStrictEqual(toCtm(said(["S1", "well-known engine"]), "job_1").split("\n"), [
      "job_1 1 0.000 0.133 well 0.900 lex S1",
      "job_1 1 0.133 0.167 known 0.900 lex S1",
      "job_1 1 0.300 0.300 engine 0.900 lex S1",
      ""
    ])
  })

  it("RTTM names every speaker, then who is heard when, also where no word was understood", () => {
    const { segments } = said(["S1", "one two three"], ["S2", "four"])
    const turns = [
      { speaker: "S1", t_start: 0, t_end: 1.1 },
      { speaker: "S2", t_start: 1.1, t_end: 1.4 },
      { speaker: "S1", t_start: 5, t_end: 5.75 }
    ]
    assert.deepStrictEqual(toRttm({ ...interview, segments, turns }, "job_1").split("\n"), [
      "SPKR-INFO job_1 1 <NA> <NA> <NA> unknown S1 <NA>",
      "SPKR-INFO job_1 1 <NA> <NA> <NA> unknown S2 <NA>",
      "SPEAKER job_1 1 0.000 1.100 <NA> <NA> S1 <NA>",
      "SPEAKER job_1 1 1.100 0.300 <NA> <NA> S2 <NA>",
      "SPEAKER job_1 1 5.000 0.750 <NA> <NA> S1 <NA>",
      ""
    ])
  })

  it("RTTM has who is heard beside another, each speaker's own time once", () => {
    const turns = [{ speaker: "S1", t_start: 0, t_end: 1 }, { speaker: "S2", t_start: 1, t_end: 2 }]
    const overlaps = [{ t_start: 0.75, t_end: 1.25, speakers: ["S1", "S2"] }]
    const lines = toRttm({ ...interview, segments: [], turns, overlaps }, "job_1").split("\n")
    assert.deepStrictEqual(lines.filter((line) => line.startsWith("SPEAKER")), [
      "SPEAKER job_1 1 0.000 1.250 <NA> <NA> S1 <NA>",
      "SPEAKER job_1 1 0.750 1.250 <NA> <NA> S2 <NA>"
    ])
  })

  it("RTTM takes captions where no voice is heard, and joins those of one speaker that overlap", () => {
    const cue = (t_start: number, t_end: number) => ({
      ...interview.segments[0]!,
      origin: "captions" as const,
      speaker: null,
      t_start,
      t_end
    })
    const transcript = {
      ...interview,
      segments: [cue(0, 1.5), cue(2, 4), cue(3, 5)],
      turns: [{ speaker: "S1", t_start: 1, t_end: 1.75 }]
    }
    assert.deepStrictEqual(toRttm(transcript, "job_1").split("\n"), [
      "SPKR-INFO job_1 1 <NA> <NA> <NA> unknown S1 <NA>",
      "SPKR-INFO job_1 1 <NA> <NA> <NA> unknown unknown <NA>",
      "SPEAKER job_1 1 1.000 0.750 <NA> <NA> S1 <NA>",
      "SPEAKER job_1 1 2.000 3.000 <NA> <NA> unknown <NA>",
      ""
    ])
  })

  it("hold no word with a sign that a format gives a meaning to, and lose no letter or digit", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const words = scoredWords(text)
      for (const word of words) assert.match(word, /^[\p{L}\p{M}\p{N}']+$/u)
      assert.strictEqual(kept(words.join("")), kept(text))
    }))
  })

  it.skipIf(missing)("of what the recogniser says are valid by the rules for English", () => {
    const transcript = said(["S1", "it's a well-known engine"], ["S2", "we're told so"], [null, "o'clock"])
    assert.strictEqual(complaints("stmValidator.pl", write("e.stm", toStm(transcript, "e"))), "")
    assert.strictEqual(complaints("ctmValidator.pl", write("e.ctm", toCtm(transcript, "e"))), "")
    assert.strictEqual(complaints("rttmValidator.pl", write("e.rttm", toRttm(transcript, "e"))), "")
  })

  it.skipIf(missing)("of any transcript are valid", () => {
    fc.assert(
      fc.property(transcripts(), (transcript) => {
        // Digits and other scripts are words too: NIST's rules for English spell every number.
        assert.strictEqual(complaints("stmValidator.pl", write("any.stm", toStm(transcript, "any")), "-l", "any"), "")
        assert.strictEqual(complaints("ctmValidator.pl", write("any.ctm", toCtm(transcript, "any")), "-l", "any"), "")
        assert.strictEqual(complaints("rttmValidator.pl", write("any.rttm", toRttm(transcript, "any"))), "")
      }),
      { numRuns: 25, endOnFailure: true }
    )
  })

  it.skipIf(missing)("of any transcript up to 10 hours score it against itself without an error", () => {
    fc.assert(
      fc.property(transcripts(10), (transcript) => {
        const words = toCtm(transcript, "own").split("\n").length - 1
        fc.pre(words > 0)
        const [stm, ctm] = [write("own.stm", toStm(transcript, "own")), write("own.ctm", toCtm(transcript, "own"))]
        assert.deepStrictEqual(score(stm, ctm), { words, errors: 0 })
      }),
      { numRuns: 60, endOnFailure: true }
    )
  })

  it.skipIf(missing)("count as an error what was heard otherwise", () => {
    const [reference, heard] = [said(["S1", "the cat sat on a mat"]), said(["S1", "the bat sat on mat today"])]
    const [stm, ctm] = [write("r.stm", toStm(reference, "r")), write("r.ctm", toCtm(heard, "r"))]
    assert.deepStrictEqual(score(stm, ctm), { words: 6, errors: 3 })
  })
})
