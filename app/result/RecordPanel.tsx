import { useState } from "preact/hooks"
import { shown } from "../footnotes/Leaves.ts"
import { checkManifest, type ManifestCheck } from "../footnotes/ManifestCheck.ts"
import { clock } from "../footnotes/Moments.ts"
import type { Json } from "../footnotes/ResultData.ts"
import { percent } from "../footnotes/Wording.ts"
import { dateOf } from "../parts/Dates.ts"
import { Icon } from "../parts/Icons.tsx"
import type { Selection } from "../selection/Selection.ts"

/** Of one revision; all of them are in the export. */
const mostDecisions = 100

const decided = { accept: "accepted", correct: "corrected", reject: "rejected", choose: "chosen" } as const

function Verdict({ check }: { readonly check: ManifestCheck }) {
  if (check.kind === "cannot") {
    return (
      <p class="verdict">
        <Icon name="question" /> {check.why}
      </p>
    )
  }
  if (check.kind === "bad_signature") {
    return (
      <p class="verdict fails">
        <Icon name="cross" /> The signature is not by one of the keys that are beside it.
      </p>
    )
  }
  const { absent, changed, keyid, unchanged } = check
  return (
    <>
      <p class={changed.length === 0 ? "verdict holds" : "verdict fails"}>
        <Icon name={changed.length === 0 ? "check" : "cross"} />
        {changed.length === 0
          ? `The signature holds, and ${unchanged.length} files that are here are what was signed.`
          : `The signature holds, but these are not what was signed: ${changed.join(", ")}.`}
      </p>
      <p class="small muted">
        Key{" "}
        <code>{keyid}</code>. Beside what it signs a key proves that nothing was changed; whose key it is, the list of
        the service says.{" "}
        {absent.length === 0 ? "" : `Not looked at, because they are not on this page: ${absent.join(", ")}.`}
      </p>
    </>
  )
}

function Manifest({ selection }: { readonly selection: Selection }) {
  const [check, setCheck] = useState<ManifestCheck | "running" | null>(null)
  const verify = async () => {
    setCheck("running")
    try {
      setCheck(await checkManifest(selection.data, selection.subjects))
    } catch {
      setCheck({ kind: "cannot", why: "The manifest could not be read." })
    }
  }
  return (
    <section>
      <h2>Manifest</h2>
      <p>Hashes of the source, the schema, the models and all that was made, signed with Ed25519.</p>
      <button type="button" class="secondary" disabled={check === "running"} onClick={() => void verify()}>
        Verify here
      </button>
      <div role="status">{check === null || check === "running" ? null : <Verdict check={check} />}</div>
    </section>
  )
}

/** Every revision that people made, newest first, with what they said of it. */
function Revisions({ selection }: { readonly selection: Selection }) {
  const { reviews = [] } = selection.data
  if (reviews.length === 0) return null
  return (
    <section>
      <h2>Revisions</h2>
      <ol class="revisions">
        {reviews.map(({ author, created_at, decisions, note, revision }) => (
          <li key={revision}>
            <p>
              <strong>Revision {revision}</strong> <span class="muted small">{author.name}, {dateOf(created_at)}</span>
            </p>
            {note === null ? null : <p dir="auto">{note}</p>}
            <details>
              <summary>{decisions.length === 1 ? "1 decision" : `${decisions.length} decisions`}</summary>
              <ul>
                {decisions.slice(0, mostDecisions).map((decision) => (
                  <li key={decision.pointer} dir="auto">
                    <code>{decision.pointer || "/"}</code> {decided[decision.action]}
                    {decision.action === "accept"
                      ? ""
                      : `: “${shown(decision.before as Json)}” became “${shown(decision.value as Json)}”`}
                  </li>
                ))}
              </ul>
              {decisions.length <= mostDecisions
                ? null
                : <p class="small muted">{decisions.length - mostDecisions} more of them.</p>}
            </details>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Where the result comes from: the footage, the models, what was warned of, and the signed manifest. */
export function RecordPanel({ selection }: { readonly selection: Selection }) {
  const { evidence: { counts }, job, revision = 0 } = selection.data
  const { source } = job
  const facts: ReadonlyArray<readonly [string, string | null]> = [
    ["Job", job.id],
    ["Footage", job.source_uri],
    ["Made", job.created_at],
    ["Reviewed", revision === 0 ? null : `revision ${revision}`],
    ["Length", source === null ? null : clock(source.duration_seconds, 1)],
    ["Picture", source?.width && source.height ? `${source.width} × ${source.height}` : null],
    ["Size", source === null ? null : `${(source.size_bytes / 1e6).toFixed(1)} MB, ${source.container}`],
    ["SHA-256", source?.sha256 ?? null],
    ["Precision", job.precision ?? null],
    ["Models", job.model_stack],
    ["Confidence of the whole", job.result_confidence === null ? null : percent(job.result_confidence)],
    [
      "Leaves",
      `${counts.leaves}: ${counts.filled} filled, ${counts.verified} of them verified, ${counts.unfilled} not filled`
    ]
  ]
  return (
    <div class="scroller record" tabIndex={0} role="region" aria-label="Record of the job">
      {job.warnings.length === 0 ? null : (
        <section>
          <h2>Warnings</h2>
          <ul class="warnings">
            {job.warnings.map(({ code, message }) => (
              <li key={code + message}>
                {message} <code>{code}</code>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Revisions selection={selection} />
      <Manifest selection={selection} />
      <section>
        <h2>Job</h2>
        <dl>
          {facts.map(([name, value]) =>
            value === null ? null : (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            )
          )}
        </dl>
      </section>
      <section>
        <h2>Models</h2>
        <dl>
          {(job.provenance?.models ?? []).map(({ execution_provider, name, role }) => (
            <div key={role + name}>
              <dt>{role}</dt>
              <dd>{name} on {execution_provider}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  )
}
