import { useState } from "preact/hooks"
import type { CreatedDestination, Destination } from "../../clients/typescript/src/generated/types.ts"
import { dateOf } from "../parts/Dates.ts"
import { useDoing } from "../parts/Doing.ts"
import { NotHere, useLoaded } from "../parts/Loading.tsx"
import { Secret } from "../parts/Secret.tsx"
import { all } from "../service/Pages.ts"
import { call } from "../service/Service.ts"
import { Shell } from "../shell/Shell.tsx"
import { DeliveryLog } from "./DeliveryLog.tsx"
import { NewDestination } from "./NewDestination.tsx"

/** The old secret goes on beside the new one for a day, so that whoever checks signatures can change over. */
const graceSeconds = 86_400

function DestinationRow({ changed, destination }: { readonly destination: Destination; readonly changed: () => void }) {
  const { id, last_health_check_at, last_health_message, last_health_status, name, status, type } = destination
  const { busy, problem, run } = useDoing()
  const [secret, setSecret] = useState<string | null>(null)
  const act = (what: () => Promise<unknown>) =>
    void run(async () => {
      await what()
      changed()
    })
  const rotate = async () => {
    const answer = await call<CreatedDestination>("POST", `/v1/destinations/${id}/rotate-signing-secret`, {
      keep_old_for_seconds: graceSeconds
    })
    setSecret(answer.signing_secret ?? null)
  }
  const named = <span class="hidden">{name}</span>
  return (
    <li class="job-row">
      <span class={`status ${status}`}>{status}</span>
      <span class="job-name">{name}</span>
      <span class="facts">
        <span>{type}</span>
        <span>
          {last_health_check_at === null
            ? "never tested"
            : `tested ${dateOf(last_health_check_at)}: ${last_health_message ?? last_health_status}`}
        </span>
      </span>
      <span class="row-tools">
        <button
          type="button"
          class="quiet"
          disabled={busy}
          onClick={() => act(() => call("POST", `/v1/destinations/${id}/test`))}
        >
          Test{named}
        </button>
        <button
          type="button"
          class="quiet"
          disabled={busy}
          onClick={() =>
            act(() => call("PATCH", `/v1/destinations/${id}`, { status: status === "paused" ? "active" : "paused" }))}
        >
          {status === "paused" ? "Resume" : "Pause"}
          {named}
        </button>
        {type === "webhook"
          ? <button type="button" class="quiet" disabled={busy} onClick={() => act(rotate)}>New secret{named}</button>
          : null}
        <button
          type="button"
          class="quiet danger"
          disabled={busy}
          onClick={() => act(() => call("DELETE", `/v1/destinations/${id}`))}
        >
          Delete{named}
        </button>
      </span>
      <span class="problem" role="alert">{problem}</span>
      {secret === null ? null : (
        <div class="row-more">
          <Secret name="New secret; the old one goes on for a day" text={secret} />
        </div>
      )}
    </li>
  )
}

/** Where results go, and what became of what was sent. */
export function DestinationsScreen() {
  const { again, loaded } = useLoaded(() => all<Destination>("/v1/destinations"), [])
  return (
    <Shell title="Destinations">
      {loaded.kind !== "here" ?
        <NotHere loaded={loaded} /> :
        loaded.value.length === 0 ?
        null :
        (
          <ul class="job-list spaced">
            {loaded.value.map((destination) => (
              <DestinationRow key={destination.id} destination={destination} changed={again} />
            ))}
          </ul>
        )}
      <NewDestination made={again} />
      <DeliveryLog />
    </Shell>
  )
}
