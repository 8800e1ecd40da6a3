import { useState } from "preact/hooks"
import type { Delivery, Destination } from "../../clients/typescript/src/generated/types.ts"
import { useDoing } from "../parts/Doing.ts"
import { NotHere, useLoaded } from "../parts/Loading.tsx"
import { all } from "../service/Pages.ts"
import { call } from "../service/Service.ts"

interface Properties {
  readonly id: string
  /** The last revision that people made of the result; 0 where nobody has. */
  readonly revision: number
}

/** Sends the result as it stands, reviews included, to one of the tenant's destinations. */
export function DeliverResult({ id, revision }: Properties) {
  const { loaded } = useLoaded(() => all<Destination>("/v1/destinations"), [])
  const [chosen, choose] = useState<string | null>(null)
  const [sent, setSent] = useState<string | null>(null)
  const { busy, problem, run } = useDoing()
  if (loaded.kind !== "here") return <NotHere loaded={loaded} />
  const [first] = loaded.value
  if (first === undefined) {
    return (
      <p>
        There is no destination yet. <a href="#/destinations">Make one</a>{" "}
        to send results to a webhook, Slack, Notion, Google Sheets or Snowflake.
      </p>
    )
  }
  const to = loaded.value.find((one) => one.id === chosen) ?? first
  const send = () =>
    run(async () => {
      setSent(null)
      await call<Delivery>("POST", `/v1/jobs/${id}/deliveries`, { destination_id: to.id, reviewed: revision > 0 })
      setSent(to.name)
    })
  return (
    <form
      class="deliver"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <select aria-label="Destination" value={to.id} onChange={(event) => choose(event.currentTarget.value)}>
        {loaded.value.map((one) => <option key={one.id} value={one.id}>{one.name} ({one.type})</option>)}
      </select>
      <button class="primary" disabled={busy}>{revision > 0 ? `Send revision ${revision}` : "Send the result"}</button>
      <p class="small" role="status">
        {sent === null ? "" : (
          <>
            On its way to {sent}. <a href="#/destinations">See the deliveries</a>
          </>
        )}
      </p>
      <p class="problem" role="alert">{problem}</p>
    </form>
  )
}
