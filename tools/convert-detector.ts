import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { onnxFile } from "../test/support/OnnxFile.ts"
import { openSession } from "../workers/onnx/OnnxSession.ts"
import { onnxGraphOf } from "./convert-detector/OnnxGraphOf.ts"
import { readTensorFlowGraph } from "./convert-detector/TensorFlowGraph.ts"

// Writes models/footnote-objects.onnx from the detector that npm's @vladmandic/human carries, and runs both on the same picture
// of noise: node tools/convert-detector.ts FOLDER, where FOLDER has been filled by
//   npm install --ignore-scripts --prefix FOLDER @vladmandic/human@3.3.6 @tensorflow/tfjs-core@4.22.0 \
//     @tensorflow/tfjs-converter@4.22.0 @tensorflow/tfjs-backend-cpu@4.22.0
// It ends with 1 where the two differ by more than a thousandth.

const MOST_APART = 1e-3
const SIZE = 512
const MAPS = SIZE / 4
const CLASSES = 80

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error("node tools/convert-detector.ts FOLDER")
const modelPath = join(folder, "node_modules/@vladmandic/human/models/centernet.json")
const target = fileURLToPath(new URL("../models/footnote-objects.onnx", import.meta.url))

const graph = readTensorFlowGraph(modelPath)
const outputs = [
  { from: "tower_0/keypoints", name: "centres", dims: [1, CLASSES, MAPS, MAPS] },
  { from: "tower_0/wh", name: "sides", dims: [1, 4, MAPS, MAPS] }
]
const bytes = onnxFile(onnxGraphOf(graph, { from: "tower_0/images", name: "picture", size: SIZE }, outputs, {
  origin: "npm:@vladmandic/human@3.3.6/models/centernet",
  origin_sha256: createHash("sha256").update(readFileSync(modelPath.replace(/json$/u, "bin"))).digest("hex")
}))
writeFileSync(target, bytes)
console.log(`${target}: ${bytes.length} bytes, SHA-256 ${createHash("sha256").update(bytes).digest("hex")}`)

const required = createRequire(pathToFileURL(join(resolve(folder), "package.json")))
const tf = required("@tensorflow/tfjs-core")
required("@tensorflow/tfjs-backend-cpu")
const { loadGraphModelSync } = required("@tensorflow/tfjs-converter")
await tf.setBackend("cpu")

const { modelTopology, weightsManifest } = JSON.parse(readFileSync(modelPath, "utf8"))
const weights = readFileSync(modelPath.replace(/json$/u, "bin"))
const original = loadGraphModelSync({
  modelTopology,
  weightSpecs: weightsManifest[0].weights,
  weightData: weights.buffer.slice(weights.byteOffset, weights.byteOffset + weights.length)
})

/** A picture of patches in noise, always the same, so that convolutions have both edges and planes to work on. */
let state = 1
const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
const patches = Array.from({ length: 3 * 256 }, () => 255 * random())
const planar = Float32Array.from({ length: 3 * SIZE * SIZE }, (_, at) => {
  const [channel, place] = [Math.floor(at / (SIZE * SIZE)), at % (SIZE * SIZE)]
  const [y, x] = [Math.floor(place / SIZE), place % SIZE]
  const patch = patches[256 * channel + 16 * Math.floor(y / 32) + Math.floor(x / 32)]!
  return Math.min(255, Math.max(0, patch + 40 * (random() - 0.5)))
})
const interleaved = Float32Array.from(
  { length: planar.length },
  (_, at) => planar[(at % 3) * SIZE * SIZE + Math.floor(at / 3)]!
)

const session = await openSession(target)
const own = await session.run({ picture: { data: planar, dims: [1, 3, SIZE, SIZE] } })
const theirs = original.execute(tf.tensor4d(interleaved, [1, SIZE, SIZE, 3]), outputs.map(({ from }) => from))
let apart = 0
for (const [index, { dims, name }] of outputs.entries()) {
  const expected = theirs[index].dataSync() as Float32Array
  const got = own[name]!.data as Float32Array
  const channels = dims[1]!
  let [most, largest] = [0, 0]
  for (let at = 0; at < got.length; at++) {
    const value = expected[(at % (MAPS * MAPS)) * channels + Math.floor(at / (MAPS * MAPS))]!
    most = Math.max(most, Math.abs(got[at]! - value))
    largest = Math.max(largest, Math.abs(value))
  }
  apart = Math.max(apart, most / Math.max(1, largest))
  console.log(`${name}: at most ${most.toExponential(2)} apart, of values up to ${largest.toFixed(3)}`)
}
await session.dispose()
if (apart > MOST_APART) {
  console.error(`The two networks are more than ${MOST_APART} apart.`)
  process.exitCode = 1
}
