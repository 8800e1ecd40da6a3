import { useState } from "preact/hooks"
import type { JobSpeaker, JobSpeakers, NamedSpeaker } from "../../clients/typescript/src/generated/types.ts"
import { Dialog } from "../parts/Dialog.tsx"
import { useDoing } from "../parts/Doing.ts"
import { NotHere, useLoaded } from "../parts/Loading.tsx"
import { call, get } from "../service/Service.ts"

interface Named {
  readonly label: string
  /** The voice that this one is too; empty: it is its own. */
  readonly same_as: string
}

/** What is said of a voice, where anything is said of it. */
const told = ({ heard_as, id }: JobSpeaker, { label, same_as }: Named): ReadonlyArray<NamedSpeaker> =>
  same_as !== ""
    ? [{ id, same_as }]
    : label.trim() === "" || label.trim() === heard_as
    ? []
    : [{ id, label: label.trim() }]

interface Properties {
  readonly id: string
  readonly speakers: ReadonlyArray<JobSpeaker>
  readonly saved: () => void
}

function Voices({ id, saved, speakers }: Properties) {
  const [names, setNames] = useState<ReadonlyMap<string, Named>>(
    new Map(speakers.map((one) => [one.id, { label: one.label, same_as: one.same_as ?? "" }]))
  )
  const { busy, problem, run } = useDoing()
  const change = (voice: string, part: Partial<Named>) =>
    setNames(new Map([...names, [voice, { ...names.get(voice)!, ...part }]]))
  const save = () =>
    run(async () => {
      await call<JobSpeakers>("PUT", `/v1/jobs/${id}/speakers`, {
        speakers: speakers.flatMap((one) => told(one, names.get(one.id)!))
      })
      saved()
    })
  return (
    <form
      class="voices"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {speakers.map(({ heard_as, id: voice }) => {
        const { label, same_as } = names.get(voice)!
        return (
          <fieldset key={voice}>
            <legend>{heard_as}</legend>
            <input
              type="text"
              aria-label={`Name of ${heard_as}`}
              maxLength={100}
              disabled={same_as !== ""}
              value={same_as === "" ? label : ""}
              onInput={(event) => change(voice, { label: event.currentTarget.value })}
            />
            {speakers.length < 2 ? null : (
              <select
                aria-label={`Whose voice ${heard_as} is`}
                value={same_as}
                onChange={(event) => change(voice, { same_as: event.currentTarget.value })}
              >
                <option value="">a voice of its own</option>
                {speakers.filter((other) => other.id !== voice).map((other) => (
                  <option key={other.id} value={other.id}>the same as {other.heard_as}</option>
                ))}
              </select>
            )}
          </fieldset>
        )
      })}
      <p class="small muted">Every reading of the job has the names from then on; what it heard stays on record.</p>
      <p class="problem" role="alert">{problem}</p>
      <button class="primary" disabled={busy}>Save the names</button>
    </form>
  )
}

function Load({ id, saved }: Omit<Properties, "speakers">) {
  const { loaded } = useLoaded(() => get<JobSpeakers>(`/v1/jobs/${id}/speakers`), [id])
  return loaded.kind === "here"
    ? <Voices id={id} speakers={loaded.value.speakers} saved={saved} />
    : <NotHere loaded={loaded} />
}

/** Says who the voices are, and which of them are one person's. */
export function NameSpeakers({ id, saved }: Omit<Properties, "speakers">) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="quiet" aria-haspopup="dialog" onClick={() => setOpen(true)}>Name speakers</button>
      <Dialog title="Who is speaking" open={open} close={() => setOpen(false)}>
        <Load id={id} saved={saved} />
      </Dialog>
    </>
  )
}
