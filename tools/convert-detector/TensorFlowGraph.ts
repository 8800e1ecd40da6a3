import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** One operation of a graph that TensorFlow.js runs, with what conversion reads of it. */
export interface TensorFlowNode {
  readonly name: string
  readonly op: string
  readonly inputs: ReadonlyArray<string>
  readonly strides: ReadonlyArray<number>
  readonly padding: string
  readonly fused: ReadonlyArray<string>
  readonly halfPixelCentres: boolean
  readonly alignCorners: boolean
}

/** Constants by name; those kept in half precision have exactly the values of it. */
export interface TensorFlowConstant {
  readonly dims: ReadonlyArray<number>
  readonly values: ReadonlyArray<number>
}

export interface TensorFlowGraph {
  readonly nodes: ReadonlyMap<string, TensorFlowNode>
  readonly constants: ReadonlyMap<string, TensorFlowConstant>
}

interface RawNode {
  readonly name: string
  readonly op: string
  readonly input?: ReadonlyArray<string>
  readonly attr: Readonly<
    Record<string, {
      readonly s?: string
      readonly b?: boolean
      readonly list?: { readonly i?: ReadonlyArray<string>; readonly s?: ReadonlyArray<string> }
    }>
  >
}

interface RawWeight {
  readonly name: string
  readonly shape: ReadonlyArray<number>
  readonly dtype: string
  readonly quantization?: { readonly dtype: string }
}

interface RawModel {
  readonly format: string
  readonly modelTopology: { readonly node: ReadonlyArray<RawNode> }
  readonly weightsManifest: ReadonlyArray<
    { readonly paths: ReadonlyArray<string>; readonly weights: ReadonlyArray<RawWeight> }
  >
}

const decoded = (text = ""): string => Buffer.from(text, "base64").toString("latin1")

const nodeOf = ({ attr, input = [], name, op }: RawNode): TensorFlowNode => ({
  name,
  op,
  inputs: input.map((one) => one.replace(/^\^|:0$/gu, "")),
  strides: attr["strides"]?.list?.i?.map(Number) ?? [],
  padding: decoded(attr["padding"]?.s),
  fused: attr["fused_ops"]?.list?.s?.map(decoded) ?? [],
  halfPixelCentres: attr["half_pixel_centers"]?.b === true,
  alignCorners: attr["align_corners"]?.b === true
})

/** Reads a graph model of TensorFlow.js with its weights. Throws where it is of another format or another precision. */
export const readTensorFlowGraph = (path: string): TensorFlowGraph => {
  const raw = JSON.parse(readFileSync(path, "utf8")) as RawModel
  if (raw.format !== "graph-model") throw new Error(`${path} is no graph model: ${raw.format}`)
  const constants = new Map<string, TensorFlowConstant>()
  for (const { paths, weights } of raw.weightsManifest) {
    const bytes = Buffer.concat(paths.map((file) => readFileSync(join(dirname(path), file))))
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    let at = 0
    for (const { dtype, name, quantization, shape } of weights) {
      const size = quantization === undefined ? 4 : 2
      if (quantization !== undefined && quantization.dtype !== "float16") {
        throw new Error(`${name} is ${dtype} in bytes`)
      }
      const values = Array.from({ length: shape.reduce((product, side) => product * side, 1) }, (_, i) => {
        const from = at + i * size
        return size === 2
          ? view.getFloat16(from, true)
          : dtype === "int32"
          ? view.getInt32(from, true)
          : view.getFloat32(from, true)
      })
      at += values.length * size
      constants.set(name, { dims: shape, values })
    }
    if (at !== bytes.length) throw new Error(`${path} has ${bytes.length - at} bytes of weights too many`)
  }
  return { nodes: new Map(raw.modelTopology.node.map((node) => [node.name, nodeOf(node)])), constants }
}
