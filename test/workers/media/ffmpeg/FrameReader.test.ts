import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import type { Socket } from "node:net"
import { FrameReader } from "../../../../workers/media/ffmpeg/FrameReader.ts"
import { openPipe } from "../../../../workers/media/ffmpeg/OutputPipe.ts"
import { PictureMemory } from "../../../../workers/media/pixels/PictureMemory.ts"

const write = (socket: Socket, bytes: Uint8Array) =>
  Effect.promise(() => new Promise<void>((resolve) => socket.write(bytes, () => resolve())))

describe("FrameReader", () => {
  it("gives every whole frame, however the bytes are cut, valid until the frame after the next is asked for", () =>
    fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 400 }),
        fc.array(fc.nat(400), { maxLength: 6 }),
        fc.integer({ min: 1, max: 130 }),
        (bytes, cuts, size) =>
          Effect.runPromise(Effect.scoped(Effect.gen(function*() {
            const pipe = yield* openPipe
            const reader = new FrameReader(pipe.path, size, new PictureMemory())
            const writer = yield* pipe.writer
            const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length]
            for (const [i, end] of at.slice(1).entries()) yield* write(writer, bytes.subarray(at[i]!, end))
            yield* pipe.handedOver
            let read = 0
            let previous: Buffer | undefined
            for (;;) {
              const frame = yield* Effect.promise(() => reader.next())
              if (previous !== undefined) {
                assert.deepStrictEqual([...previous], [...bytes.subarray((read - 1) * size, read * size)])
              }
              if (frame === null) break
              assert.deepStrictEqual([...frame], [...bytes.subarray(read * size, (read + 1) * size)])
              read++
              previous = frame
            }
            assert.strictEqual(read, Math.floor(bytes.length / size))
          })))
      ),
      { numRuns: 30 }
    ))
})
