import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { type AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const script = fileURLToPath(new URL("../../../workers/onnx/fetch-cuda-provider.ts", import.meta.url))
const manifest = createRequire(import.meta.url).resolve("onnxruntime-node/package.json")
const AdmZip = createRequire(manifest)("adm-zip") as new() => {
  readonly addFile: (name: string, bytes: Buffer) => void
  readonly toBuffer: () => Buffer
}

const libraries = ["libonnxruntime_providers_cuda.so", "libonnxruntime_providers_shared.so"]

const archive = () => {
  const zip = new AdmZip()
  for (const library of [...libraries, "libonnxruntime_providers_tensorrt.so"]) {
    zip.addFile(`runtimes/linux-x64/native/${library}`, Buffer.from(library))
  }
  return zip.toBuffer()
}

/** Runs the script against a feed that serves these bytes. */
const fetched = async (bytes: Buffer, sha256: string) => {
  const folder = mkdtempSync(join(tmpdir(), "footnote-provider-"))
  const asked: Array<string> = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? "")
    response.end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    const env = {
      PATH: process.env["PATH"],
      NUGET_FEED: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ONNXRUNTIME_CUDA_SHA256: sha256
    }
    return await new Promise<
      { code: unknown; said: string; files: ReadonlyArray<string>; asked: ReadonlyArray<string> }
    >(
      (resolve) =>
        execFile(
          process.execPath,
          [script, folder],
          { env },
          (error, out, err) =>
            resolve({ code: error?.code ?? 0, said: out + err, files: readdirSync(folder).toSorted(), asked })
        )
    )
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

describe("the CUDA provider of the GPU image", () => {
  const bytes = archive()
  const sha256 = createHash("sha256").update(bytes).digest("hex")

  it("is installed, without TensorRT, where the fetched package has the SHA-256 that was asked for", async () => {
    const { asked, code, files, said } = await fetched(bytes, sha256)
    assert.deepStrictEqual([code, files], [0, libraries], said)
    assert.match(asked[0]!, /^\/microsoft\.ml\.onnxruntime\.gpu\.linux\/(\d+\.\d+\.\d+)\/\S+\.\1\.nupkg$/u)
  })

  it("is not installed where the package is another one, or no SHA-256 was given", async () => {
    const changed = await fetched(Buffer.concat([bytes, Buffer.from(" ")]), sha256)
    assert.deepStrictEqual([changed.code, changed.files], [1, []])
    assert.include(changed.said, `not ${sha256}: nothing was installed`)
    const unasked = await fetched(bytes, "")
    assert.deepStrictEqual([unasked.code, unasked.files], [1, []])
    assert.include(unasked.said, `--build-arg ONNXRUNTIME_CUDA_SHA256=${sha256}`)
  })
})
