import { Effect, Layer, Result } from "effect"
import assert from "node:assert/strict"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { JobFailureCode } from "../../../src/jobs/model/JobFailure.ts"
import { holdersOf, layer, MediaLab } from "./MediaLab.ts"

/** Makes an empty folder the place for temporary files; answers how to put that right again. */
const watchTemporaryFiles = (): () => void => {
  const before = process.env["TMPDIR"]
  const folder = mkdtempSync(join(tmpdir(), "footnote-hostile-"))
  process.env["TMPDIR"] = folder
  return () => {
    if (before === undefined) delete process.env["TMPDIR"]
    else process.env["TMPDIR"] = before
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A media lab whose temporary files lie in a folder of their own, so that one that is left over is seen. */
export const layerWatched = layer.pipe(
  Layer.provide(
    Layer.effectDiscard(Effect.acquireRelease(Effect.sync(watchTemporaryFiles), (restore) => Effect.sync(restore)))
  )
)

/** Longest that one file may take through the whole lane; the clips here are seconds long. */
const MOST_SECONDS = 110

/**
 * Runs a file through probe, sound, captions and frames and says how it ended: a failure's code, `partial` where warnings
 * tell of damage, or `whole`. Asserts what holds for every file in the world: the code is on the list and not our own
 * defect, a result is bounded by the duration that was measured, and no process or temporary file is left.
 */
export const endOf = Effect.fn("endOf")(function*(file: string) {
  const lab = yield* MediaLab
  const result = yield* Effect.result(lab.run(file)).pipe(Effect.timeout(`${MOST_SECONDS} seconds`), Effect.orDie)
  assert.deepEqual(holdersOf(lab.folder), [])
  assert.deepEqual(readdirSync(tmpdir()), [basename(lab.folder)])
  if (Result.isFailure(result)) {
    const { code, message, retryable } = result.failure
    assert.ok(JobFailureCode.literals.includes(code), code)
    assert.notEqual(code, "INTERNAL", message)
    return retryable ? `${code}, retried` : code
  }
  const { codes, frames, images, pcm, probe } = result.success
  const { duration_seconds } = probe.facts
  assert.ok(duration_seconds <= 12 * 3600)
  assert.ok(frames.sampled <= 2 * duration_seconds + 3)
  assert.ok(pcm.length / 16_000 <= duration_seconds + 2)
  assert.ok(frames.frames.every(({ height, width }) => Math.max(width, height) <= 1280))
  assert.equal(images.length, frames.kept)
  assert.equal(frames.visual_branch, frames.sampled > 0 ? "present" : "absent")
  return codes.length > 0 ? "partial" : "whole"
})
