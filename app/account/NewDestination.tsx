import { useState } from "preact/hooks"
import type { CreatedDestination, DestinationType, ErrorDetail } from "../../clients/typescript/src/generated/types.ts"
import { useDoing } from "../parts/Doing.ts"
import { Field } from "../parts/Field.tsx"
import { Secret } from "../parts/Secret.tsx"
import { Segmented } from "../parts/Segmented.tsx"
import { call, Refused } from "../service/Service.ts"
import { configFields, destinationTypes } from "./DestinationForms.ts"

/** A place that results go to; what is wrong with it is told at its field. */
export function NewDestination({ made }: { readonly made: () => void }) {
  const [type, setType] = useState<DestinationType>("webhook")
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [details, setDetails] = useState<ReadonlyArray<ErrorDetail>>([])
  const [created, setCreated] = useState<CreatedDestination | null>(null)
  const { busy, problem, run } = useDoing()
  const fields = [{ name: "name", label: "Name" }, ...configFields[type]]
  const problemOf = (name: string) =>
    details.find(({ path }) => path === `/config/${name}` || path === `/${name}`)?.message
  const create = () =>
    run(async () => {
      setDetails([])
      try {
        const config = Object.fromEntries(
          configFields[type].map(({ name }) => [name, values[name]?.trim() ?? ""]).filter(([, value]) => value !== "")
        )
        setCreated(
          await call<CreatedDestination>("POST", "/v1/destinations", { name: values["name"]?.trim(), type, config })
        )
        setValues({})
        made()
      } catch (error) {
        if (error instanceof Refused) setDetails(error.details)
        throw error
      }
    })
  return (
    <form
      class="step"
      onSubmit={(event) => {
        event.preventDefault()
        void create()
      }}
    >
      <h2>A new destination</h2>
      <Segmented label="Type" options={destinationTypes} chosen={type} choose={setType} />
      {fields.map(({ name, label, ...field }) => {
        const { help, long, optional, secret } = {
          help: undefined,
          long: false,
          optional: false,
          secret: false,
          ...field
        }
        const id = `destination-${name}`
        const common = {
          id,
          required: !optional,
          value: values[name] ?? "",
          spellcheck: false,
          "aria-describedby": `${help === undefined ? "" : `${id}-help `}${id}-problem`
        }
        return (
          <Field
            key={name}
            id={id}
            label={optional ? `${label} (may be left out)` : label}
            help={help}
            problem={problemOf(name)}
          >
            {long
              ? (
                <textarea
                  {...common}
                  rows={4}
                  class="code"
                  onInput={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
                />
              )
              : (
                <input
                  {...common}
                  type={(secret ? "password" : "text") as "text"}
                  autocomplete="off"
                  onInput={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
                />
              )}
          </Field>
        )
      })}
      <p class="problem" role="alert">{problem}</p>
      <div>
        <button class="primary" disabled={busy}>Make the destination</button>
      </div>
      {created?.signing_secret === undefined ? null : <Secret name="Signing secret" text={created.signing_secret} />}
    </form>
  )
}
