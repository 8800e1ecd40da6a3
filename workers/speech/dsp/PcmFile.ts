import { type FileHandle, open } from "node:fs/promises"
import { SAMPLE_RATE } from "./FeatureExtractor.ts"

/** 16 kHz mono s16le sound in a file, read by ranges so that memory does not grow with its length. */
export interface PcmFile extends AsyncDisposable {
  readonly samples: number
  readonly seconds: number
  /** Samples `[from, to)` in [-1, 1), clamped to the file. Throws when the file ends early. */
  readonly read: (from: number, to: number) => Promise<Float32Array>
}

/** Opens raw PCM. An odd last byte is not a sample and is left out. Throws the file system's own error. */
export const openPcm = async (path: string): Promise<PcmFile> => {
  const file = await open(path, "r")
  const samples = await file.stat().then(({ size }) => Math.floor(size / 2))
  return {
    samples,
    seconds: samples / SAMPLE_RATE,
    read: (from, to) => readRange(file, path, Math.max(0, Math.min(from, samples)), Math.max(0, Math.min(to, samples))),
    [Symbol.asyncDispose]: () => file.close()
  }
}

const readRange = async (file: FileHandle, path: string, from: number, to: number) => {
  const count = Math.max(0, to - from)
  const bytes = Buffer.allocUnsafe(count * 2)
  for (let done = 0; done < bytes.length;) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, from * 2 + done)
    if (bytesRead === 0) throw new Error(`${path} ended at byte ${from * 2 + done}`)
    done += bytesRead
  }
  return Float32Array.from({ length: count }, (_, i) => bytes.readInt16LE(2 * i) / 32768)
}
