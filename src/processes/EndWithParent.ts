import { Worker } from "node:worker_threads"
import { canTie } from "./TiedCommand.ts"

/**
 * Kills this process within half a second of its parent's death. From a thread of its own, since the main one may be deaf
 * in a native call; by SIGKILL, since nothing holds that up.
 */
export const watchParent = (parent: number) =>
  new Worker(
    `setInterval(() => { if (process.ppid !== ${parent}) process.kill(process.pid, "SIGKILL") }, 500)`,
    { eval: true, execArgv: [], env: {}, stdin: false, resourceLimits: { maxOldGenerationSizeMb: 8 } }
  ).unref()

/**
 * From now on this process ends at once when the one that started it is gone, however that went: nothing is drained,
 * since whoever would wait for it is gone. The parent is the process of ours that forked this one, or the `npm` whose
 * script hands its pid on as `FOOTNOTE_PARENT_PID`; started in any other way, a process stands alone.
 */
export const endWithParent = (): void => {
  const launcher = process.env.FOOTNOTE_PARENT_PID
  // It means this process only, not the ones that it starts.
  delete process.env.FOOTNOTE_PARENT_PID
  if (process.send !== undefined) {
    if (!process.connected) process.exit(0)
    process.once("disconnect", () => process.exit(0))
    if (!canTie()) watchParent(process.ppid)
  } else if (launcher !== undefined && /^[1-9]\d*$/u.test(launcher)) watchParent(Number(launcher))
}
