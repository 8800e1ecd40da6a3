/** A field of a protocol buffer: text, or a message of fields. Lengths here are below 128 and fit one byte. */
const bytes = (field: number, ...parts: ReadonlyArray<string | Uint8Array>): Uint8Array => {
  const body = Buffer.concat(parts.map((part) => typeof part === "string" ? Buffer.from(part) : part))
  return Buffer.concat([Buffer.of((field << 3) | 2, body.length), body])
}

/** A field of a protocol buffer that holds a number below 128. */
const number = (field: number, value: number): Uint8Array => Buffer.of(field << 3, value)

const FLOAT = 1
const dimension = bytes(1, number(1, 2))
/** A named 2 × 2 matrix of floats as a field. */
const matrix = (field: number, name: string): Uint8Array =>
  bytes(field, bytes(1, name), bytes(2, bytes(1, number(1, FLOAT), bytes(2, dimension, dimension))))

/** `y = x · x` for a 2 × 2 matrix, in ONNX (IR version 8, opset 13; field numbers of `onnx.proto`). */
export const probeModel: Uint8Array = Buffer.concat([
  number(1, 8),
  bytes(8, number(2, 13)),
  bytes(
    7,
    bytes(1, bytes(1, "x"), bytes(1, "x"), bytes(2, "y"), bytes(4, "MatMul")),
    bytes(2, "probe"),
    matrix(11, "x"),
    matrix(12, "y")
  )
])
