/** A tensor of constants, row-major, its values as plain numbers whatever their type. */
export interface OnnxConstant {
  readonly type: Exclude<OnnxType, "bool">
  readonly dims: ReadonlyArray<number>
  readonly values: ReadonlyArray<number>
  /** Name of the file beside the model that holds the values as they are in memory; without it the model itself does. */
  readonly location?: string
}

/** A named input or output; a name in `dims` is a free dimension. */
export interface OnnxValue {
  readonly name: string
  readonly type: OnnxType
  readonly dims: ReadonlyArray<number | string>
}

export interface OnnxNode {
  readonly op: string
  readonly inputs: ReadonlyArray<string>
  readonly outputs: ReadonlyArray<string>
  /** Integers, lists of integers, strings, or a floating point number written as `{ float }`. */
  readonly attributes?: Readonly<Record<string, OnnxAttribute>>
}

type OnnxAttribute = number | ReadonlyArray<number> | string | { readonly float: number }

export interface OnnxGraph {
  readonly name?: string
  readonly inputs: ReadonlyArray<OnnxValue>
  readonly outputs: ReadonlyArray<OnnxValue>
  readonly constants: Readonly<Record<string, OnnxConstant>>
  readonly nodes: ReadonlyArray<OnnxNode>
  readonly metadata: Readonly<Record<string, string | number>>
}

type OnnxType = "float" | "int32" | "int64" | "bool" | "float16"

/** `TensorProto.DataType` of onnx.proto3. */
export const typeCodes: Readonly<Record<OnnxType, number>> = { float: 1, int32: 6, int64: 7, bool: 9, float16: 10 }
const OPSET = 17

/** Protocol buffers' variable-length integer; negative numbers as 64-bit two's complement. */
const varint = (value: number): Buffer => {
  let rest = BigInt.asUintN(64, BigInt(value))
  const bytes: Array<number> = []
  do {
    const low = Number(rest & 0x7fn)
    rest >>= 7n
    bytes.push(rest === 0n ? low : low | 0x80)
  } while (rest !== 0n)
  return Buffer.from(bytes)
}

const integer = (field: number, value: number) => Buffer.concat([varint(field << 3), varint(value)])

const bytes = (field: number, value: Uint8Array | string) => {
  const content = typeof value === "string" ? Buffer.from(value) : value
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content])
}

const message = (field: number, parts: ReadonlyArray<Buffer>) => bytes(field, Buffer.concat(parts))

const tensor = (name: string, { dims, location, type, values }: OnnxConstant): ReadonlyArray<Buffer> => {
  const size = type === "int64" ? 8 : type === "float16" ? 2 : 4
  const raw = Buffer.alloc(values.length * size)
  const view = new DataView(raw.buffer, raw.byteOffset, raw.length)
  for (const [i, value] of values.entries()) {
    if (type === "float") raw.writeFloatLE(value, i * size)
    else if (type === "float16") view.setFloat16(i * size, value, true)
    else if (type === "int32") raw.writeInt32LE(value, i * size)
    else raw.writeBigInt64LE(BigInt(value), i * size)
  }
  const content = location === undefined
    ? [bytes(9, raw)]
    : [message(13, [bytes(1, "location"), bytes(2, location)]), integer(14, 1)]
  return [...dims.map((dim) => integer(1, dim)), integer(2, typeCodes[type]), bytes(8, name), ...content]
}

const value = ({ dims, name, type }: OnnxValue): ReadonlyArray<Buffer> => {
  const shape = dims.map((dim) => message(1, [typeof dim === "number" ? integer(1, dim) : bytes(2, dim)]))
  return [bytes(1, name), message(2, [message(1, [integer(1, typeCodes[type]), message(2, shape)])])]
}

const attribute = (name: string, content: OnnxAttribute) => {
  if (typeof content === "number") return [bytes(1, name), integer(3, content), integer(20, 2)]
  if (typeof content === "string") return [bytes(1, name), bytes(4, content), integer(20, 3)]
  if (!("float" in content)) return [bytes(1, name), ...content.map((item) => integer(8, item)), integer(20, 7)]
  const float = Buffer.alloc(4)
  float.writeFloatLE(content.float)
  return [bytes(1, name), varint((2 << 3) | 5), float, integer(20, 1)]
}

const node = ({ attributes = {}, inputs, op, outputs }: OnnxNode) => [
  ...inputs.map((input) => bytes(1, input)),
  ...outputs.map((output) => bytes(2, output)),
  bytes(4, op),
  ...Object.entries(attributes).map(([name, content]) => message(5, attribute(name, content)))
]

/** A model file in the wire format of onnx.proto3. The same graph gives the same bytes; nothing in it is checked. */
export const onnxFile = ({ constants, inputs, metadata, name = "toy", nodes, outputs }: OnnxGraph): Buffer =>
  Buffer.concat([
    integer(1, 8),
    message(7, [
      ...nodes.map((own) => message(1, node(own))),
      bytes(2, name),
      ...Object.entries(constants).map(([name, constant]) => message(5, tensor(name, constant))),
      ...inputs.map((own) => message(11, value(own))),
      ...outputs.map((own) => message(12, value(own)))
    ]),
    message(8, [bytes(1, ""), integer(2, OPSET)]),
    ...Object.entries(metadata).map(([key, own]) => message(14, [bytes(1, key), bytes(2, String(own))]))
  ])
