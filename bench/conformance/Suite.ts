import { spawn } from "node:child_process"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const suite = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url)
)

export interface Outcome {
  readonly scenario: string
  readonly passed: number
  /** What went wrong, one line per check. */
  readonly failures: ReadonlyArray<string>
}

interface Check {
  readonly id: string
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO"
  readonly errorMessage?: string
}

/** Runs the suite and answers what its files say; `line` sees every line that it prints. */
export const runSuite = async (
  args: ReadonlyArray<string>,
  line: (line: string) => void = () => {}
): Promise<ReadonlyArray<Outcome>> => {
  const folder = await mkdtemp(join(tmpdir(), "footnote-conformance-"))
  try {
    await new Promise<void>((resolve, reject) => {
      const child = spawn(process.execPath, [suite, ...args, "--output-dir", folder], {
        stdio: ["ignore", "pipe", "ignore"]
      })
      let rest = ""
      child.stdout.on("data", (data) => {
        const lines = (rest + String(data)).split("\n")
        rest = lines.pop() ?? ""
        for (const text of lines) line(text)
      })
      child.once("error", reject)
      // Its exit code says that something failed; what, is in its files.
      child.once("close", () => resolve())
    })
    return await outcomes(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const outcomes = async (folder: string): Promise<ReadonlyArray<Outcome>> => {
  const names = (await readdir(folder)).toSorted()
  return Promise.all(names.map(async (name) => {
    const checks = JSON.parse(await readFile(join(folder, name, "checks.json"), "utf8")) as ReadonlyArray<Check>
    return {
      scenario: name.replace(/-\d{4}-\d{2}-\d{2}T.*$/u, "").replace(
        /^(server|authorization-server|authorization)-(?=.)/u,
        ""
      ),
      passed: checks.filter(({ status }) => status === "SUCCESS").length,
      failures: checks.filter(({ status }) => status === "FAILURE" || status === "WARNING").map((check) =>
        `${check.id}: ${check.errorMessage ?? check.status}`
      )
    }
  }))
}

/** The scenarios that a revision requires of a server, frozen at its release. */
export const requiredBy = async (revision: string): Promise<ReadonlySet<string>> => {
  const file = new URL(
    `../../node_modules/@modelcontextprotocol/conformance/requirements/${revision}.yaml`,
    import.meta.url
  )
  const [, list = ""] = (await readFile(file, "utf8")).split(/^server:$/mu)
  return new Set([...list.split(/^client:$/mu)[0]!.matchAll(/^ {2}- (\S+)$/gmu)].map(([, scenario]) => scenario!))
}
