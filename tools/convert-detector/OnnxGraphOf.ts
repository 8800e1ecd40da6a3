import type { OnnxConstant, OnnxGraph, OnnxNode } from "../../test/support/OnnxFile.ts"
import type { TensorFlowConstant, TensorFlowGraph, TensorFlowNode } from "./TensorFlowGraph.ts"

/** TensorFlow lays pictures out as height, width, channels; ONNX as channels, height, width. */
const CHANNELS_LAST = 3

const transposed = ({ dims, values }: TensorFlowConstant, order: ReadonlyArray<number>): TensorFlowConstant => {
  const strides = dims.map((_, axis) => dims.slice(axis + 1).reduce((product, side) => product * side, 1))
  const turned = order.map((axis) => dims[axis]!)
  const place = (at: number): number => {
    let rest = at
    let from = 0
    for (let axis = order.length - 1; axis >= 0; axis--) {
      from += (rest % turned[axis]!) * strides[order[axis]!]!
      rest = Math.floor(rest / turned[axis]!)
    }
    return from
  }
  return { dims: turned, values: values.map((_, at) => values[place(at)]!) }
}

/**
 * The same network in ONNX, channels first, from one placeholder to some outputs. Weights keep their half precision and are
 * widened when it is loaded. Throws for an operation, a padding or a layout that it does not know.
 */
export const onnxGraphOf = (
  { constants, nodes }: TensorFlowGraph,
  input: { readonly from: string; readonly name: string; readonly size: number },
  outputs: ReadonlyArray<{ readonly from: string; readonly name: string; readonly dims: ReadonlyArray<number> }>,
  metadata: OnnxGraph["metadata"]
): OnnxGraph => {
  const made: Array<OnnxNode> = []
  const kept: Record<string, OnnxConstant> = {}
  const names = new Map<string, string>([[input.from, input.name]])

  const constant = (name: string): TensorFlowConstant => {
    const found = constants.get(name)
    if (found === undefined) throw new Error(`${name} is no constant`)
    return found
  }
  /** A constant in half precision, which a cast widens: ONNX Runtime folds it when it opens the file. */
  const weight = (name: string, { dims, values }: TensorFlowConstant): string => {
    const key = name.replaceAll("/", ".")
    if (!Object.hasOwn(kept, `${key}.half`)) {
      kept[`${key}.half`] = { type: "float16", dims, values }
      made.push({ op: "Cast", inputs: [`${key}.half`], outputs: [key], attributes: { to: 1 } })
    }
    return key
  }
  const exact = (
    name: string,
    type: OnnxConstant["type"],
    dims: ReadonlyArray<number>,
    values: ReadonlyArray<number>
  ) => {
    kept[name] = { type, dims, values }
    return name
  }
  const emit = (op: string, inputs: ReadonlyArray<string>, name: string, attributes?: OnnxNode["attributes"]) => {
    made.push({ op, inputs, outputs: [name], ...(attributes === undefined ? {} : { attributes }) })
    return name
  }
  /** An operand of an addition or a product: numbers for each channel move to the channels' axis. */
  const operand = (name: string): string => {
    if (!constants.has(name)) return of(name)
    const found = constant(name)
    return weight(
      name,
      found.dims.length <= 1
        ? { ...found, dims: found.dims.flatMap((side) => [1, side, 1, 1]) }
        : transposed(found, [0, 3, 1, 2])
    )
  }

  const convolution = (node: TensorFlowNode, depthwise: boolean): string => {
    const { fused, inputs, name, padding, strides } = node
    if (padding !== "SAME" && padding !== "VALID") throw new Error(`${name} is padded ${padding}`)
    const kernel = constant(inputs[1]!)
    const [height = 1, width = 1] = kernel.dims
    const groups = depthwise ? kernel.dims[2]! : 1
    const weights = weight(inputs[1]!, transposed(kernel, depthwise ? [2, 3, 0, 1] : [3, 2, 0, 1]))
    const bias = fused.includes("BiasAdd") ? [weight(inputs[2]!, constant(inputs[2]!))] : []
    const own = name.replaceAll("/", ".")
    const after = fused.filter((one) => one !== "BiasAdd")
    const sum = emit("Conv", [of(inputs[0]!), weights, ...bias], after.length === 0 ? own : `${own}.sum`, {
      kernel_shape: [height, width],
      strides: [strides[1]!, strides[2]!],
      group: groups,
      auto_pad: padding === "SAME" ? "SAME_UPPER" : "VALID"
    })
    if (after.length === 0) return sum
    if (after.join() !== "Relu") throw new Error(`${name} is followed by ${after.join()}`)
    return emit("Relu", [sum], own)
  }

  const resized = ({ alignCorners, halfPixelCentres, inputs, name }: TensorFlowNode): string => {
    if (alignCorners || halfPixelCentres) throw new Error(`${name} is not laid out from the corner`)
    const own = name.replaceAll("/", ".")
    // Every map of this network grows to twice its size.
    const scales = exact("twice", "float", [4], [1, 1, 2, 2])
    return emit("Resize", [of(inputs[0]!), "", scales], own, {
      mode: "linear",
      coordinate_transformation_mode: "asymmetric"
    })
  }

  const converted = (node: TensorFlowNode): string => {
    const { inputs, name, op } = node
    const own = name.replaceAll("/", ".")
    switch (op) {
      case "_FusedConv2D":
      case "Conv2D":
        return convolution(node, false)
      case "FusedDepthwiseConv2dNative":
      case "DepthwiseConv2dNative":
        return convolution(node, true)
      case "Mul":
      case "Add":
        return emit(op, inputs.map(operand), own)
      case "Relu":
      case "Sigmoid":
        return emit(op, [of(inputs[0]!)], own)
      case "Relu6":
        return emit("Clip", [of(inputs[0]!), exact("zero", "float", [], [0]), exact("six", "float", [], [6])], own)
      case "Mean":
        if (constant(inputs[1]!).values.join() !== "1,2") throw new Error(`${name} is no mean over a picture`)
        return emit("GlobalAveragePool", [of(inputs[0]!)], own)
      case "ConcatV2":
        if (constant(inputs.at(-1)!).values[0] !== CHANNELS_LAST) throw new Error(`${name} joins no channels`)
        return emit("Concat", inputs.slice(0, -1).map(of), own, { axis: 1 })
      case "ResizeBilinear":
        return resized(node)
      case "Identity":
        return of(inputs[0]!)
      default:
        throw new Error(`${name} is an operation of another kind: ${op}`)
    }
  }

  /** The value of a node in ONNX, made when it is first asked for, so that what no output needs is left out. */
  const of = (name: string): string => {
    const known = names.get(name)
    if (known !== undefined) return known
    const node = nodes.get(name)
    if (node === undefined) throw new Error(`${name} is not in the graph`)
    const value = converted(node)
    names.set(name, value)
    return value
  }

  for (const { from, name } of outputs) emit("Identity", [of(from)], name)
  return {
    name: "footnote-objects",
    inputs: [{ name: input.name, type: "float", dims: [1, 3, input.size, input.size] }],
    outputs: outputs.map(({ dims, name }) => ({ name, type: "float", dims })),
    constants: kept,
    nodes: made,
    metadata
  }
}
