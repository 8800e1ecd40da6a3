import { Effect } from "effect"
import { workingSandboxes } from "../../../workers/media/ffmpeg/FindSandbox.ts"
import { findOpenings, type Openings } from "../../../workers/media/ffmpeg/Openings.ts"
import { sandboxPaths } from "./SandboxPaths.ts"
import { takenOver } from "./TakenOver.ts"

/** One confinement that works here, what it says that it leaves open, and what a hostile program reached. */
export interface TakenOverReport {
  readonly means: ReadonlyArray<string>
  readonly open: Openings
  readonly reached: ReadonlyArray<string>
}

/** `node taken-over-report.ts FFMPEG`: prints the reports as JSON; started as each user that a worker may be. */
const [ffmpeg] = process.argv.slice(2)
const paths = sandboxPaths()
const reports: Array<TakenOverReport> = []
for await (const tools of workingSandboxes(ffmpeg!, paths)) {
  const open = await findOpenings(tools, ffmpeg!)
  reports.push({ open, ...(await Effect.runPromise(takenOver(paths.perl!, tools))) })
}
process.stdout.write(`${JSON.stringify(reports)}\n`)
