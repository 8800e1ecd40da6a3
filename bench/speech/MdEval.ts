import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { promisify } from "node:util"
import { joinTurns, type Turn } from "./SpeakerErrors.ts"

/** Who speaks when in one recording, by the reference and as found. */
export interface ScoredRecording {
  readonly reference: ReadonlyArray<Turn>
  readonly found: ReadonlyArray<Turn>
  readonly duration: number
}

/** Seconds of speaker time, summed over recordings. */
export interface MdEvalScores {
  readonly scored: number
  readonly missed: number
  readonly false_alarm: number
  readonly confused: number
}

/** NIST's scorer as Debian's package sctk installs it, or one on the path; undefined when it is not here. */
export const findMdEval = (): string | undefined =>
  ["/usr/lib/sctk/bin", ...(process.env["PATH"] ?? "").split(delimiter)]
    .map((folder) => join(folder, "md-eval.pl"))
    .find((file) => existsSync(file))

const run = promisify(execFile)

/**
 * Scores diarization by NIST's md-eval, nothing within `collar` seconds of a boundary of the reference. Rejects when
 * the scorer fails or says something else than its version 22 does.
 */
export const mdEval = async (
  script: string,
  recordings: ReadonlyArray<ScoredRecording>,
  collar: number
): Promise<MdEvalScores> => {
  const folder = await mkdtemp(join(tmpdir(), "md-eval-"))
  try {
    const [reference, system, uem] = ["reference.rttm", "system.rttm", "scored.uem"].map((name) => join(folder, name))
    await writeFile(reference!, recordings.map((r, i) => rttm(i, r.reference)).join(""))
    await writeFile(system!, recordings.map((r, i) => rttm(i, r.found)).join(""))
    await writeFile(uem!, recordings.map((r, i) => `r${i} 1 0.000 ${r.duration.toFixed(3)}\n`).join(""))
    const { stdout } = await run("perl", [script, "-c", String(collar), "-r", reference!, "-s", system!, "-u", uem!], {
      maxBuffer: 1e9
    })
    const seconds = (title: string): number => {
      const found = new RegExp(`^\\s*${title} =\\s*([\\d.]+) secs`, "mu").exec(stdout)
      if (found === null) throw new Error(`md-eval printed no ${title}`)
      return Number(found[1])
    }
    return {
      scored: seconds("SCORED SPEAKER TIME"),
      missed: seconds("MISSED SPEAKER TIME"),
      false_alarm: seconds("FALARM SPEAKER TIME"),
      confused: seconds("SPEAKER ERROR TIME")
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Turns of one speaker must not overlap in this format. */
const rttm = (recording: number, turns: ReadonlyArray<Turn>): string =>
  joinTurns(turns).map(({ speaker, t_end, t_start }) =>
    `SPEAKER r${recording} 1 ${t_start.toFixed(3)} ${(t_end - t_start).toFixed(3)} <NA> <NA> ${speaker} <NA>\n`
  ).join("")
