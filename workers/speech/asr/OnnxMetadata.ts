import { type FileHandle, open } from "node:fs/promises"
import { OnnxModelError } from "../../onnx/OnnxSession.ts"

/** Fields of `ModelProto` in onnx.proto3. */
const GRAPH = 7
const METADATA = 14
/** A key and its value: Whisper's language lists are the longest there are, under 1 kB. */
const MOST_BYTES = 1 << 20

/**
 * Reads an ONNX file's own key-value pairs without loading its network: fields are stepped over, so a file of any size
 * costs a few reads. Throws `OnnxModelError` that names the file when it is absent, cut off or no ONNX file.
 */
export const readOnnxMetadata = async (path: string): Promise<ReadonlyMap<string, string>> => {
  let file: FileHandle
  try {
    file = await open(path, "r")
  } catch (cause) {
    throw new OnnxModelError(`Model file ${path} cannot be read`, { cause })
  }
  try {
    const { size } = await file.stat()
    const metadata = new Map<string, string>()
    let graph = false
    for (let at = 0; at < size;) {
      const field = await fieldAt(file, at)
      if (field === undefined || field.end > size) throw notOnnx(path, size)
      if (field.number === GRAPH) graph = true
      if (field.number === METADATA && field.end - field.from <= MOST_BYTES) {
        const content = await bytesOf(file, field.from, field.end - field.from)
        const parts = fieldsIn(content)
        const text = (number: number) => parts.get(number)?.toString("utf8") ?? ""
        metadata.set(text(1), text(2))
      }
      at = field.end
    }
    if (!graph) throw notOnnx(path, size)
    return metadata
  } finally {
    await file.close()
  }
}

const notOnnx = (path: string, size: number) =>
  new OnnxModelError(`Model file ${path} (${size} bytes) is not a usable ONNX model`)

interface Field {
  readonly number: number
  readonly from: number
  readonly end: number
}

const bytesOf = async (file: FileHandle, from: number, count: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, from)
  return buffer.subarray(0, bytesRead)
}

const fieldAt = async (file: FileHandle, at: number): Promise<Field | undefined> => {
  const field = fieldIn(await bytesOf(file, at, 20), 0)
  return field && { number: field.number, from: at + field.from, end: at + field.end }
}

/** Where a field's content is, by protocol buffers' wire types 0, 1, 2 and 5; undefined for anything else. */
const fieldIn = (bytes: Buffer, at: number): Field | undefined => {
  const tag = varintAt(bytes, at)
  if (tag === undefined || tag.value < 8) return undefined
  const number = Math.floor(tag.value / 8)
  const kind = tag.value % 8
  if (kind === 1 || kind === 5) return { number, from: tag.end, end: tag.end + (kind === 1 ? 8 : 4) }
  const next = varintAt(bytes, tag.end)
  if (next === undefined) return undefined
  if (kind === 0) return { number, from: tag.end, end: next.end }
  return kind === 2 ? { number, from: next.end, end: next.end + next.value } : undefined
}

const fieldsIn = (bytes: Buffer): ReadonlyMap<number, Buffer> => {
  const fields = new Map<number, Buffer>()
  for (let at = 0; at < bytes.length;) {
    const field = fieldIn(bytes, at)
    if (field === undefined) break
    fields.set(field.number, bytes.subarray(field.from, field.end))
    at = field.end
  }
  return fields
}

const varintAt = (bytes: Buffer, at: number): { readonly value: number; readonly end: number } | undefined => {
  let value = 0
  for (let i = 0; i < 10 && at + i < bytes.length; i++) {
    const byte = bytes[at + i]!
    value += (byte & 0x7f) * 2 ** (7 * i)
    if (byte < 0x80) return { value, end: at + i + 1 }
  }
  return undefined
}
