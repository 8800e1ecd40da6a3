import { spawnSync } from "node:child_process"
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * Checks of the Dockerfiles what can be checked without a container engine: every path that they copy exists, the npm
 * install and start command that they name work in an empty folder that holds nothing but the copied paths, and the GPU
 * image's guard against missing libraries holds. Prints one line per check and exits with 1 when one fails. What the base
 * images, apt and ONNX Runtime's own installer bring is not checked.
 */
const root = fileURLToPath(new URL("..", import.meta.url))

interface Instruction {
  readonly keyword: string
  readonly text: string
}

const instructions = (file: string): ReadonlyArray<Instruction> =>
  readFileSync(join(root, file), "utf8")
    .split("\n")
    .filter((line) => !/^\s*#/u.test(line))
    .join("\n")
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => ({ keyword: line.split(" ", 1)[0]!, text: line.slice(line.indexOf(" ") + 1).trim() }))

const copied = (file: string): ReadonlyArray<string> =>
  instructions(file)
    .filter(({ keyword, text }) => keyword === "COPY" && !text.startsWith("--from="))
    .flatMap(({ text }) => text.split(/\s+/u).slice(0, -1))

/** What follows `--release` on the command line are the build's arguments; without it a release is not asked for. */
const [flag, ...given] = process.argv.slice(2)
const release = flag === "--release"
const built = new Map(given.map((word) => [word.split("=", 1)[0]!, word.slice(word.indexOf("=") + 1)]))

/** An argument of a Dockerfile: as given, else its default. */
const argumentOf = (file: string, name: string): string =>
  built.get(name)
    ?? wordsOf(file, "ARG").find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? ""

/** A release is built from what cannot change: images by digest, and the one file that no lock names by its hash. */
const checkRelease = () => {
  for (const file of ["Dockerfile", "Dockerfile.gpu"]) {
    for (const image of new Set(wordsOf(file, "FROM").map((line) => line.split(" ", 1)[0]!))) {
      const name = /^\$\{(\w+)\}$/u.exec(image)?.[1]
      const value = name === undefined ? image : argumentOf(file, name)
      report(
        /@sha256:[0-9a-f]{64}$/u.test(value),
        `${file} is built from ${value} by digest (${name ?? "no argument"})`
      )
    }
  }
  const sha256 = argumentOf("Dockerfile.gpu", "ONNXRUNTIME_CUDA_SHA256")
  report(
    /^[0-9a-f]{64}$/u.test(sha256),
    "Dockerfile.gpu is given the SHA-256 of the CUDA provider (ONNXRUNTIME_CUDA_SHA256)"
  )
}

let failures = 0
const report = (ok: boolean, what: string) => {
  if (!ok) failures += 1
  console.log(`${ok ? "ok  " : "FAIL"} ${what}`)
}

const wordsOf = (file: string, keyword: string): ReadonlyArray<string> =>
  instructions(file).filter((instruction) => instruction.keyword === keyword).map(({ text }) => text)

const runOf = (file: string, start: string): string =>
  wordsOf(file, "RUN").find((line) => line.startsWith(start)) ?? "false"

for (const file of ["Dockerfile", "Dockerfile.gpu"]) {
  for (const path of copied(file)) report(existsSync(join(root, path)), `${file} copies ${path}`)
  const user = wordsOf(file, "USER").at(-1)
  report(/^[1-9]\d*:[1-9]\d*$/u.test(user ?? ""), `${file} runs as a user who is not root, by number`)
  report(wordsOf(file, "HEALTHCHECK").length === 1, `${file} has a health check`)
  const [command, program] = JSON.parse(wordsOf(file, "CMD").at(-1) ?? "[]") as ReadonlyArray<string>
  report(command === "node" && existsSync(join(root, program ?? "none")), `${file} starts ${program}`)
}

const both = (what: (file: string) => unknown) =>
  JSON.stringify(what("Dockerfile")) === JSON.stringify(what("Dockerfile.gpu"))
const removed = (file: string) => new Set(runOf(file, "npm ci").match(/node_modules\/\S+/gu))

const providerScript = "workers/onnx/fetch-cuda-provider.ts"

/** Beside what one stage of the GPU image alone needs. */
const copiedLast = (file: string) => [...new Set(copied(file))].filter((path) => path !== providerScript).toSorted()

/** What the GPU image shares with the other one: the same copies, entry point and Node, and no less taken out. */
const checkGpuLikeness = () => {
  report(both(copiedLast), "Dockerfile.gpu copies what Dockerfile copies")
  report(both((file) => wordsOf(file, "ENTRYPOINT")), "Dockerfile.gpu has Dockerfile's entry point")
  report(both((file) => wordsOf(file, "FROM")[0]), "Dockerfile.gpu installs with Dockerfile's Node")
  const left = [...removed("Dockerfile")].filter((path) => !removed("Dockerfile.gpu").has(path))
  report(left.length === 0, `Dockerfile.gpu takes out what Dockerfile takes out${left.map((path) => `; not ${path}`)}`)
}

/** The CUDA provider comes from where the installed package's own installer would take it. */
const checkGpuInstaller = () => {
  report(runOf("Dockerfile.gpu", "npm ci").includes(`node ${providerScript}`), `Dockerfile.gpu runs ${providerScript}`)
  const { manifests, packages } = createRequire(join(root, "node_modules/onnxruntime-node/script/none.js"))(
    "./install-metadata.js"
  ) as {
    readonly manifests: Readonly<Record<string, Readonly<Record<string, unknown>>>>
    readonly packages: Readonly<Record<string, { readonly name: string }>>
  }
  const script = readFileSync(join(root, providerScript), "utf8")
  const name = packages["nuget:linux/x64:cuda12"]?.name.toLowerCase() ?? "none"
  report(script.includes(`"${name}"`), `${providerScript} fetches ONNX Runtime's own ${name}`)
  for (const library of Object.keys(manifests["linux/x64:cuda12"] ?? {}).filter((path) => !path.includes("tensorrt"))) {
    report(script.includes(`"${library.slice(2)}"`), `${providerScript} brings ${library.slice(2)}`)
  }
}

const guard = runOf("Dockerfile.gpu", "provider=")
const providerPath = /^provider=(\S+)/u.exec(guard)?.[1] ?? "none"

/** The guard's verdict on a folder where the provider is this file; on one without a provider where it is undefined. */
const guarded = (library: string | undefined): boolean => {
  const folder = mkdtempSync(join(tmpdir(), "footnote-guard-"))
  try {
    mkdirSync(join(folder, dirname(providerPath)), { recursive: true })
    if (library !== undefined) copyFileSync(library, join(folder, providerPath))
    // Whether the binding loads is not this check's matter: it is not in the folder.
    const shell = guard.replace(/&& node -e .*$/u, "")
    return spawnSync("sh", ["-c", shell], { cwd: folder }).status === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const checkGpuGuard = () => {
  const binaries = join(root, "node_modules/onnxruntime-node/bin/napi-v6/linux/x64")
  report(guarded(join(binaries, "libonnxruntime.so.1")), "Dockerfile.gpu accepts a provider whose libraries are there")
  // Away from its folder the binding misses the runtime beside it.
  report(!guarded(join(binaries, "onnxruntime_binding.node")), "Dockerfile.gpu fails where a library is not found")
  report(!guarded(undefined), "Dockerfile.gpu fails where the installer left no provider")
}

if (release) checkRelease()
checkGpuLikeness()
checkGpuInstaller()
checkGpuGuard()

const folder = mkdtempSync(join(tmpdir(), "footnote-image-"))
try {
  for (const path of new Set(copied("Dockerfile"))) cpSync(join(root, path), join(folder, path), { recursive: true })
  // The image's own install line, and what it removes afterwards.
  const line = runOf("Dockerfile", "npm ci")
  const install = spawnSync("sh", ["-c", line], { cwd: folder, encoding: "utf8" })
  report(
    install.status === 0,
    `${line.split("&&", 1)[0]!.trim()} in a clean folder${install.status === 0 ? "" : `\n${install.stderr}`}`
  )
  const modules = [
    "src/api/Api.ts",
    "workers/media/MediaStages.ts",
    "workers/speech/drivers/OpenSpeechModels.ts",
    "workers/vision/description/DescribeFrame.ts",
    "workers/extraction/Extract.ts",
    "workers/delivery/DeliveryStage.ts"
  ]
  for (const module of modules) {
    const run = spawnSync(process.execPath, ["-e", `await import("./${module}")`], { cwd: folder, encoding: "utf8" })
    report(run.status === 0, `${module} loads with what the image holds${run.status === 0 ? "" : `\n${run.stderr}`}`)
  }
  for (const [entry, ...pool] of [["src/main.ts"], ["workers/main.ts", "delivery"]] as const) {
    const key = Buffer.alloc(32, 1).toString("base64")
    const run = spawnSync(process.execPath, [entry, ...pool], {
      cwd: folder,
      encoding: "utf8",
      timeout: 20_000,
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "production",
        DATABASE_URL: "postgres://127.0.0.1:1/none",
        FOOTNOTE_DATA: join(folder, "data"),
        FOOTNOTE_ENCRYPTION_KEY: key,
        ...(entry === "src/main.ts" ? { FOOTNOTE_SIGNING_KEY: key } : {})
      }
    })
    // Nothing listens at that address: the program must get as far as asking.
    const output = run.stdout + run.stderr
    const asked = /ECONNREFUSED|Connection|connect/u.test(output)
    report(asked, `${entry} starts and asks for its database${asked ? "" : `\n${output}`}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failures === 0 ? 0 : 1
