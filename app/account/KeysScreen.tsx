import { useState } from "preact/hooks"
import type { ApiKey, CreatedApiKey } from "../../clients/typescript/src/generated/types.ts"
import { dateOf } from "../parts/Dates.ts"
import { useDoing } from "../parts/Doing.ts"
import { Field } from "../parts/Field.tsx"
import { NotHere, useLoaded } from "../parts/Loading.tsx"
import { Secret } from "../parts/Secret.tsx"
import { all } from "../service/Pages.ts"
import { call, session } from "../service/Service.ts"
import { Shell } from "../shell/Shell.tsx"

/** The keys of the tenant: made, shown once, revoked. */
export function KeysScreen() {
  const { again, loaded } = useLoaded(() => all<ApiKey>("/v1/api-keys"), [])
  const { busy, problem, run } = useDoing()
  const [name, setName] = useState("")
  const [created, setCreated] = useState<CreatedApiKey | null>(null)
  const create = () =>
    run(async () => {
      setCreated(await call<CreatedApiKey>("POST", "/v1/api-keys", { name: name.trim() }))
      setName("")
      again()
    })
  const revoke = (id: string) =>
    run(async () => {
      await call("DELETE", `/v1/api-keys/${id}`)
      again()
    })
  return (
    <Shell title="Keys">
      <form
        class="step"
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        <h2>A new key</h2>
        <Field
          id="key-name"
          label="Name"
          help="Who or what it is for; one for each program is a good habit."
          problem={problem}
        >
          <input
            id="key-name"
            required
            maxLength={100}
            type="text"
            value={name}
            aria-describedby="key-name-help key-name-problem"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <div>
          <button class="primary" disabled={busy}>Make the key</button>
        </div>
        {created === null ? null : <Secret name={created.name} text={created.secret} />}
      </form>
      {loaded.kind !== "here" ? <NotHere loaded={loaded} /> : (
        <ul class="job-list">
          {loaded.value.map(({ created_at, id, last_used_at, name, prefix, revoked_at }) => (
            <li key={id} class="job-row">
              <code class="muted">{prefix}…</code>
              <span class="job-name">{name}</span>
              <span class="facts">
                <span>made {dateOf(created_at)}</span>
                <span>{last_used_at === null ? "never used" : `used ${dateOf(last_used_at)}`}</span>
                {revoked_at === null ? null : <span>revoked {dateOf(revoked_at)}</span>}
              </span>
              {revoked_at !== null || id === session.value?.key.id ? null : (
                <span class="row-tools">
                  <button
                    type="button"
                    class="quiet danger"
                    disabled={busy}
                    onClick={() => void revoke(id)}
                  >
                    Revoke<span class="hidden">{name}</span>
                  </button>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Shell>
  )
}
