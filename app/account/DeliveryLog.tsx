import { useState } from "preact/hooks"
import type { Delivery } from "../../clients/typescript/src/generated/types.ts"
import { dateOf } from "../parts/Dates.ts"
import { useDoing } from "../parts/Doing.ts"
import { NotHere, useLoaded } from "../parts/Loading.tsx"
import { page } from "../service/Pages.ts"
import { call } from "../service/Service.ts"

const waits: Readonly<Record<string, string>> = {
  destination_paused: "waits: its destination is paused",
  destination_broken: "waits: its destination is broken",
  retry: "waits to be tried again",
  turn: "waits for its turn"
}

function DeliveryRow({ changed, delivery }: { readonly delivery: Delivery; readonly changed: () => void }) {
  const { attempts, created_at, destination_type, event_type, id, job_id, status, waits_for } = delivery
  const { busy, problem, run } = useDoing()
  return (
    <li class="job-row">
      <span class={`status ${status}`}>{status}</span>
      <span class="job-name">
        {event_type} <span class="muted">to {destination_type}</span>
      </span>
      <span class="facts">
        <span>{dateOf(created_at)}</span>
        <a href={`#/jobs/${job_id}`}>its job</a>
        {waits_for === null ? null : <span>{waits[waits_for] ?? waits_for}</span>}
      </span>
      {attempts.length === 0 ? null : (
        <details class="row-more">
          <summary>{attempts.length === 1 ? "1 attempt" : `${attempts.length} attempts`}</summary>
          <ol class="attempts">
            {attempts.map(({ at, duration_ms, error, number, status_code }) => (
              <li key={number} class="small">
                {dateOf(at)}, {status_code ?? "no answer"} in {duration_ms} ms{error === null ? "" : `: ${error}`}
              </li>
            ))}
          </ol>
        </details>
      )}
      {status !== "failed" ? null : (
        <span class="row-tools">
          <button
            type="button"
            class="quiet"
            disabled={busy}
            onClick={() =>
              void run(async () => {
                await call("POST", `/v1/deliveries/${id}/retry`)
                changed()
              })}
          >
            Send again
          </button>
        </span>
      )}
      <span class="problem" role="alert">{problem}</span>
    </li>
  )
}

/** Every delivery with its attempts, newest first. */
export function DeliveryLog() {
  const [cursor, setCursor] = useState<string | null>(null)
  const { again, loaded } = useLoaded(() => page<Delivery>("/v1/deliveries", cursor), [cursor])
  return (
    <section class="log">
      <div class="page-head">
        <h2>Deliveries</h2>
        <button type="button" class="secondary" onClick={again}>Look again</button>
      </div>
      {loaded.kind !== "here" ? <NotHere loaded={loaded} /> : loaded.value.data.length === 0
        ? <p class="muted">Nothing was delivered yet.</p>
        : (
          <>
            <ul class="job-list">
              {loaded.value.data.map((delivery) => (
                <DeliveryRow
                  key={delivery.id}
                  delivery={delivery}
                  changed={again}
                />
              ))}
            </ul>
            {loaded.value.next_cursor === null ? null : (
              <nav class="paging" aria-label="Pages">
                <button type="button" class="secondary" onClick={() => setCursor(loaded.value.next_cursor)}>
                  Older
                </button>
              </nav>
            )}
          </>
        )}
    </section>
  )
}
