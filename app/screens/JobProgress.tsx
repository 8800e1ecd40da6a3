import type { JobProgress } from "../../clients/typescript/src/generated/types.ts"
import { percent } from "../footnotes/Wording.ts"
import { Icon } from "../parts/Icons.tsx"

const stages: Readonly<Record<string, string>> = {
  fetch: "Get the footage",
  probe: "Look at the file",
  audio: "Take out the sound",
  captions: "Read the captions",
  frames: "Choose frames",
  detect_speech: "Find speech",
  transcribe: "Write down what is said",
  diarize: "Tell the voices apart",
  describe: "Read the pictures",
  extract: "Fill the schema"
}

const stageName = (name: string): string => stages[name] ?? name.replaceAll("_", " ")

/** How far a job is, in one line. */
export function StageBar({ progress }: { readonly progress: JobProgress }) {
  const says = progress.stage === null ? "Waiting for its turn" : stageName(progress.stage)
  return (
    <span class="stage-bar">
      <span class="meter" aria-hidden="true">
        <span style={{ width: `${progress.fraction * 100}%` }} />
      </span>
      <span class="small">{says}, {percent(progress.fraction)}</span>
    </span>
  )
}

/** What a job's end left undone says so with its name, though it never began. */
const begun = ({ started_at, status }: JobProgress["stages"][number]) =>
  started_at === null && (status === "failed" || status === "cancelled") ? "not begun" : status

const stageIcons = { done: "check", skipped: "empty", failed: "cross", cancelled: "cross" } as const

/** Every stage of a job, those that are done, those at work and those to come. */
export function Stages({ progress }: { readonly progress: JobProgress }) {
  return (
    <ol class="stages">
      {progress.stages.map((stage) => {
        const { fraction, name } = stage
        const status = begun(stage)
        return (
          <li key={name} class={status === "not begun" ? "waiting" : status}>
            <span class="stage-mark">
              {status in stageIcons ? <Icon name={stageIcons[status as keyof typeof stageIcons]} /> : null}
            </span>
            <span>{stageName(name)}</span>
            <span class="muted small">
              {status === "running" ? percent(fraction) : status === "done" ? "" : status}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
