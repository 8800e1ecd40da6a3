/** A value of a GGUF file's metadata, by its type. */
export type GgufValue =
  | { readonly uint32: number }
  | { readonly float32: number }
  | { readonly bool: boolean }
  | { readonly string: string }
  | { readonly strings: ReadonlyArray<string> }
  | { readonly floats: ReadonlyArray<number> }
  | { readonly ints: ReadonlyArray<number> }

/** A tensor of 32-bit floats; its first dimension is the one whose elements lie beside each other. */
export interface GgufTensor {
  readonly dims: ReadonlyArray<number>
  readonly values: Float32Array
}

const ALIGNMENT = 32

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const uint64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}
const float32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return bytes
}
const text = (value: string): Buffer => {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint64(bytes.length), bytes])
}
const array = (type: number, items: ReadonlyArray<Buffer>): Buffer =>
  Buffer.concat([uint32(9), uint32(type), uint64(items.length), ...items])

/** The type's number and the bytes. */
const valueOf = (value: GgufValue): Buffer => {
  if ("uint32" in value) return Buffer.concat([uint32(4), uint32(value.uint32)])
  if ("float32" in value) return Buffer.concat([uint32(6), float32(value.float32)])
  if ("bool" in value) return Buffer.concat([uint32(7), Buffer.of(value.bool ? 1 : 0)])
  if ("string" in value) return Buffer.concat([uint32(8), text(value.string)])
  if ("strings" in value) return array(8, value.strings.map(text))
  if ("floats" in value) return array(6, value.floats.map(float32))
  return array(5, value.ints.map(int32))
}

const padding = (length: number): Buffer => Buffer.alloc((ALIGNMENT - length % ALIGNMENT) % ALIGNMENT)

/** A model file in GGUF, version 3 (github.com/ggml-org/ggml/blob/master/docs/gguf.md). Nothing in it is checked. */
export const ggufFile = (
  metadata: Readonly<Record<string, GgufValue>>,
  tensors: Readonly<Record<string, GgufTensor>>
): Buffer => {
  let offset = 0
  const infos: Array<Buffer> = []
  const data: Array<Buffer> = []
  for (const [name, { dims, values }] of Object.entries(tensors)) {
    infos.push(text(name), uint32(dims.length), ...dims.map(uint64), uint32(0), uint64(offset))
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
    data.push(bytes, padding(bytes.length))
    offset += bytes.length + padding(bytes.length).length
  }
  const head = Buffer.concat([
    Buffer.from("GGUF"),
    uint32(3),
    uint64(Object.keys(tensors).length),
    uint64(Object.keys(metadata).length),
    ...Object.entries(metadata).flatMap(([key, value]) => [text(key), valueOf(value)]),
    ...infos
  ])
  return Buffer.concat([head, padding(head.length), ...data])
}
