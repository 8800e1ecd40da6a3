import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * Checks of the Dockerfiles what can be checked without a container engine: every path that they copy exists, and the
 * npm install and start command that they name work in an empty folder that holds nothing but the copied paths. Prints
 * one line per check and exits with 1 when one fails. What the base image and apt bring is not checked.
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

let failures = 0
const report = (ok: boolean, what: string) => {
  if (!ok) failures += 1
  console.log(`${ok ? "ok  " : "FAIL"} ${what}`)
}

for (const file of ["Dockerfile", "Dockerfile.gpu"]) {
  for (const path of copied(file)) report(existsSync(join(root, path)), `${file} copies ${path}`)
  const stages = instructions(file)
  report(stages.some(({ keyword }) => keyword === "USER"), `${file} does not run as root`)
}

const folder = mkdtempSync(join(tmpdir(), "footnote-image-"))
try {
  for (const path of new Set(copied("Dockerfile"))) cpSync(join(root, path), join(folder, path), { recursive: true })
  // The image's own install line, and what it removes afterwards.
  const line = instructions("Dockerfile").find(({ keyword, text }) =>
    keyword === "RUN" && text.startsWith("npm ci")
  )?.text ?? "false"
  const install = spawnSync("sh", ["-c", line], { cwd: folder, encoding: "utf8" })
  report(
    install.status === 0,
    `${line.split("&&", 1)[0]!.trim()} in a clean folder${install.status === 0 ? "" : `\n${install.stderr}`}`
  )
  const modules = [
    "src/api/Api.ts",
    "workers/media/MediaStages.ts",
    "workers/speech/SpeechModels.ts",
    "workers/vision/DescribeFrame.ts",
    "workers/extraction/Extract.ts",
    "workers/delivery/DeliveryStage.ts"
  ]
  for (const module of modules) {
    const run = spawnSync(process.execPath, ["-e", `await import("./${module}")`], { cwd: folder, encoding: "utf8" })
    report(run.status === 0, `${module} loads with what the image holds${run.status === 0 ? "" : `\n${run.stderr}`}`)
  }
  for (const entry of ["src/main.ts", "workers/main.ts"]) {
    const key = Buffer.alloc(32, 1).toString("base64")
    const run = spawnSync(process.execPath, [entry], {
      cwd: folder,
      encoding: "utf8",
      timeout: 20_000,
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "production",
        DATABASE_URL: "postgres://127.0.0.1:1/none",
        FOOTNOTE_DATA: join(folder, "data"),
        FOOTNOTE_ENCRYPTION_KEY: key
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
