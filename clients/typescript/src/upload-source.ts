/** A file to be sent: its length, and any piece of it from `start` to before `end`. */
export interface UploadSource {
  readonly size: number
  readonly name?: string | undefined
  readonly read: (start: number, end: number) => Promise<Uint8Array<ArrayBuffer>>
  /** Called when the sending is over, however it ended. */
  readonly close?: () => Promise<void>
}

/** A stream tells its length beforehand, as the tus protocol asks for it. */
export interface SizedStream {
  readonly stream: ReadableStream<Uint8Array>
  readonly size: number
  readonly name?: string
}

export type Uploadable = Blob | Uint8Array | SizedStream | UploadSource

const ofBlob = (blob: Blob): UploadSource => ({
  size: blob.size,
  name: "name" in blob && typeof blob.name === "string" ? blob.name : undefined,
  read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer())
})

/** Keeps only what was read last, which is all that has to be sent again. */
const ofStream = ({ name, size, stream }: SizedStream): UploadSource => {
  const reader = stream.getReader()
  let begin = 0
  let held = new Uint8Array(0)
  const read = async (start: number, end: number) => {
    if (start < begin) throw new RangeError(`A stream cannot be read again from byte ${start}`)
    for (;;) {
      const skipped = Math.min(held.length, start - begin)
      held = held.subarray(skipped)
      begin += skipped
      if (begin === start && held.length >= end - start) return held.slice(0, end - start)
      const { done, value } = await reader.read()
      if (done) throw new RangeError(`The stream ended at byte ${begin + held.length} of ${size}`)
      const joined = new Uint8Array(held.length + value.length)
      joined.set(held)
      joined.set(value, held.length)
      held = joined
    }
  }
  return { name, size, read, close: () => reader.cancel() }
}

export const sourceOf = (file: Uploadable): UploadSource => {
  if (file instanceof Blob) return ofBlob(file)
  if (file instanceof Uint8Array) return { size: file.length, read: async (start, end) => file.slice(start, end) }
  return "stream" in file ? ofStream(file) : file
}
