import { useEffect, useMemo, useState } from "preact/hooks"
import type { CreatedJob, Estimate } from "../../clients/typescript/src/generated/types.ts"
import { spokenClock } from "../footnotes/Moments.ts"
import { Draft } from "../new-job/Draft.ts"
import { Options } from "../new-job/Options.tsx"
import { inferSchema, SchemaChoice } from "../new-job/SchemaChoice.tsx"
import { SourceChoice } from "../new-job/SourceChoice.tsx"
import { webhookSecrets } from "../new-job/WebhookSecrets.tsx"
import { call, Refused } from "../service/Service.ts"
import { go } from "../shell/Route.ts"
import { Shell } from "../shell/Shell.tsx"

const inWords = ({ cost, duration_seconds, work_seconds }: Estimate): string =>
  [
    duration_seconds === null ? null : `${spokenClock(duration_seconds)} of footage`,
    work_seconds === null ? null : `about ${spokenClock(Math.max(1, work_seconds))} of work`,
    cost === null || cost === 0 ? null : `a cost of ${cost.toFixed(2)}`
  ].filter((part) => part !== null).join(", ")

function EstimateNote({ draft }: { readonly draft: Draft }) {
  const [estimate, setEstimate] = useState<Estimate | null>(null)
  const source_uri = draft.source_uri.value
  useEffect(() => {
    setEstimate(null)
    if (source_uri === null || draft.sourceKind.peek() === "address") return
    // A guess beforehand: where there is none, nothing is missing.
    call<Estimate>("POST", "/v1/jobs/estimate", { source_uri }).then(setEstimate, () => undefined)
  }, [source_uri])
  const words = estimate === null ? "" : inWords(estimate)
  return <p class="small muted" role="status">{words === "" ? "" : `Estimate: ${words}.`}</p>
}

/** `not_json_schema: Not a JSON Schema: …`, as the sentence that it is. */
const withoutKind = (message: string) => message.replace(/^[a-z_]+: /u, "")

/** Footage, a schema, and how to read it; what the service does not take is told at its field. */
export function NewJobScreen() {
  const draft = useMemo(() => new Draft(), [])
  const [busy, setBusy] = useState(false)
  const problem = draft.problem.value

  const submit = async () => {
    draft.problem.value = null
    draft.details.value = []
    try {
      if (draft.schemaKind.value === "inferred") await inferSchema(draft)
      const request = draft.request()
      if (request === null) return
      setBusy(true)
      const job = await call<CreatedJob>("POST", "/v1/jobs", request)
      if (job.webhook_signing_secret !== undefined) webhookSecrets.set(job.id, job.webhook_signing_secret)
      go(`jobs/${job.id}`)
    } catch (error) {
      setBusy(false)
      if (error instanceof Refused) {
        draft.problem.value = { code: error.code, message: error.message }
        draft.details.value = error.details
      } else {
        const message = draft.schemaKind.value === "inferred"
          ? "The example is not JSON."
          : "The schema is not JSON; the editor marks the place."
        draft.problem.value = { code: "NOT_JSON", message }
      }
    }
  }
  const unchosen = draft.source_uri.value === null
    ? "Choose the footage first."
    : draft.schemaKind.value === "saved" && draft.saved.value === ""
    ? "Choose a schema first."
    : null
  return (
    <Shell title="New job">
      <form
        class="new-job-form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <SourceChoice draft={draft} />
        <SchemaChoice draft={draft} />
        <Options draft={draft} />
        <div class="submit-bar">
          <div class="told">
            {problem === null ? null : (
              <div class="alert" role="alert">
                <p>
                  {problem.message} <code>{problem.code}</code>
                </p>
                <ul>
                  {draft.details.value.filter(({ message }) => !problem.message.includes(withoutKind(message))).slice(
                    0,
                    8
                  )
                    .map(({ message, path }) => (
                      <li key={path + message}>
                        <code>{path}</code> {message}
                      </li>
                    ))}
                </ul>
              </div>
            )}
            <EstimateNote draft={draft} />
          </div>
          <div class="submit">
            {unchosen === null ? null : <span class="small muted">{unchosen}</span>}
            <button class="primary" disabled={busy || unchosen !== null}>Start the job</button>
          </div>
        </div>
      </form>
    </Shell>
  )
}
