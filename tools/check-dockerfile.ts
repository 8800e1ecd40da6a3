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
  const install = spawnSync("npm", ["ci", "--omit=dev", "--omit=optional"], { cwd: folder, encoding: "utf8" })
  report(
    install.status === 0,
    `npm ci --omit=dev --omit=optional in a clean folder${install.status === 0 ? "" : `\n${install.stderr}`}`
  )
  for (const entry of ["src/main.ts", "workers/main.ts"]) {
    // Without a database both must refuse with a sentence, not with a missing module.
    const run = spawnSync(process.execPath, [entry], {
      cwd: folder,
      encoding: "utf8",
      timeout: 60_000,
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "production",
        DATABASE_URL: "postgres://127.0.0.1:1/none",
        FOOTNOTE_DATA: join(folder, "data")
      }
    })
    const missing = /ERR_MODULE_NOT_FOUND|Cannot find (module|package)/u.exec(run.stderr + run.stdout)
    report(missing === null, `${entry} loads with what the image holds${missing === null ? "" : `\n${run.stderr}`}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failures === 0 ? 0 : 1
