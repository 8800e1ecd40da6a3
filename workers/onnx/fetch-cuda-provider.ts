import { createHash } from "node:crypto"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/**
 * Puts ONNX Runtime's CUDA provider beside its binding: what the package's own installer does, but for the check of what was
 * fetched. Fails, and prints the SHA-256 of what came, where that is not the one of `ONNXRUNTIME_CUDA_SHA256`. For the build of
 * the GPU image: `node workers/onnx/fetch-cuda-provider.ts`.
 */
const manifest = createRequire(import.meta.url).resolve("onnxruntime-node/package.json")
/** As the package would: its own installer opens the archive by a package that it brings along. */
const ofRuntime = createRequire(manifest)
const { version } = ofRuntime(manifest) as { readonly version: string }
const AdmZip = ofRuntime("adm-zip") as new(archive: Buffer) => {
  readonly getEntry: (name: string) => object | null
  readonly extractEntryTo: (name: string, folder: string, keepPath: boolean, overwrite: boolean) => boolean
}
const name = "microsoft.ml.onnxruntime.gpu.linux"
const feed = process.env["NUGET_FEED"] ?? "https://api.nuget.org/v3-flatcontainer"
const url = `${feed}/${name}/${version}/${name}.${version}.nupkg`
const wanted = (process.env["ONNXRUNTIME_CUDA_SHA256"] ?? "").toLowerCase()

const fail = (why: string): never => {
  process.stderr.write(`${why}\n`)
  return process.exit(1)
}

const response = await fetch(url).catch((error: unknown) => fail(`${url} cannot be fetched: ${String(error)}`))
if (!response.ok) fail(`${url} answers ${response.status}`)
const bytes = Buffer.from(await response.arrayBuffer())
const found = createHash("sha256").update(bytes).digest("hex")
if (found !== wanted) {
  fail(
    wanted === ""
      ? `${url} has SHA-256 ${found}. Compare it with a second source, then build with --build-arg ONNXRUNTIME_CUDA_SHA256=${found}`
      : `${url} has SHA-256 ${found}, not ${wanted}: nothing was installed`
  )
}

const folder = process.argv[2] ?? join(dirname(manifest), "bin/napi-v6/linux/x64")
const archive = new AdmZip(bytes)
// TensorRT lies in there too and is not used: it would need libraries of its own.
for (const library of ["libonnxruntime_providers_cuda.so", "libonnxruntime_providers_shared.so"]) {
  const entry = `runtimes/linux-x64/native/${library}`
  if (archive.getEntry(entry) === null) fail(`${url} holds no ${entry}`)
  archive.extractEntryTo(entry, folder, false, true)
}
process.stdout.write(`${url}, SHA-256 ${found}, installed in ${folder}\n`)
