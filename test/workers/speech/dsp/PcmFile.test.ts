import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openPcm } from "../../../../workers/speech/dsp/PcmFile.ts"

const withFile = async <A>(bytes: Buffer, use: (path: string) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "footnote-pcm-"))
  try {
    writeFileSync(join(folder, "sound.pcm"), bytes)
    return await use(join(folder, "sound.pcm"))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe("PcmFile", () => {
  it("reads any range, clamped to the file, and leaves an odd last byte out", () =>
    withFile(Buffer.from(Int16Array.of(0, 16_384, -32_768, 1).buffer).subarray(0, 7), async (path) => {
      await using pcm = await openPcm(path)
      assert.deepStrictEqual([pcm.samples, pcm.seconds], [3, 3 / 16_000])
      assert.deepStrictEqual(await pcm.read(1, 2), Float32Array.of(0.5))
      assert.deepStrictEqual(await pcm.read(-5, 99), Float32Array.of(0, 0.5, -1))
      assert.deepStrictEqual(await pcm.read(2, 1), Float32Array.of())
    }))

  it("says so when the file becomes shorter while it is read", () =>
    withFile(Buffer.alloc(64), async (path) => {
      await using pcm = await openPcm(path)
      writeFileSync(path, Buffer.alloc(8))
      const error = await pcm.read(0, 32).then(() => null, (error: unknown) => error)
      assert.match((error as Error).message, /ended at byte 8/u)
    }))
})
