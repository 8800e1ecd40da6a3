import { execFile } from "node:child_process"
import type { ToolCall } from "../../test/support/ToolCalls.ts"
import type { Outcome } from "./Suite.ts"

/** 110 MB, so it is fetched when it can be and is no dependency. */
const inspector = "@modelcontextprotocol/inspector@2.12.0"

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const npx = (args: ReadonlyArray<string>): Promise<Ended> =>
  new Promise((resolve) => {
    execFile("npx", ["--yes", inspector, ...args], { timeout: 300_000, maxBuffer: 64 << 20 }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : error === null ? 0 : -1, stdout, stderr }))
  })

/** Lists and calls all tools with the Inspector's command line; undefined where it cannot be fetched. */
export const inspectorOutcomes = async (
  url: string,
  token: string,
  calls: ReadonlyArray<ToolCall>
): Promise<ReadonlyArray<Outcome> | undefined> => {
  if ((await npx(["--cli", "--version"])).code !== 0) return undefined
  const outcomes: Array<Outcome> = []
  for (const era of ["legacy", "modern"]) {
    const cli = (...args: ReadonlyArray<string>) =>
      npx([
        "--cli",
        "--server-url",
        url,
        "--transport",
        "http",
        "--protocol-era",
        era,
        "--header",
        `Authorization: Bearer ${token}`,
        "--format",
        "json",
        ...args
      ])
    const outcome = (scenario: string, { code, stderr, stdout }: Ended) =>
      outcomes.push({
        scenario: `${scenario} (${era})`,
        passed: code === 0 ? 1 : 0,
        failures: code === 0 ? [] : [`exit ${code}: ${stdout.slice(0, 500)} ${stderr.slice(-500)}`]
      })
    outcome("tools/list, schemas checked strictly", await cli("--method", "tools/list", "--strict"))
    for (const { args, tool } of calls) {
      outcome(
        tool,
        await cli("--method", "tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(args))
      )
    }
  }
  return outcomes
}
