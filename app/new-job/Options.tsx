import type { Signal } from "@preact/signals"
import type { Destination, ModelStacks } from "../../clients/typescript/src/generated/types.ts"
import { Field } from "../parts/Field.tsx"
import { useLoaded } from "../parts/Loading.tsx"
import { Segmented } from "../parts/Segmented.tsx"
import { all } from "../service/Pages.ts"
import { get } from "../service/Service.ts"
import type { Draft } from "./Draft.ts"

interface TextProperties {
  readonly draft: Draft
  readonly of: Signal<string>
  readonly field: string
  readonly label: string
  readonly help?: string
  readonly type?: "text" | "number" | "date"
}

function TextField({ draft, field, help, label, of, type = "text" }: TextProperties) {
  const id = field.replaceAll("/", "-")
  return (
    <Field id={id} label={label} help={help} problem={draft.problemOf(field)}>
      <input
        id={id}
        type={type as "text"}
        value={of.value}
        aria-describedby={`${help === undefined ? "" : `${id}-help `}${id}-problem`}
        onInput={(event) => (of.value = event.currentTarget.value)}
      />
    </Field>
  )
}

const precisions = [["strict", "Strict"], ["balanced", "Balanced"]] as const

function Destinations({ draft }: { readonly draft: Draft }) {
  const { loaded } = useLoaded(() => all<Destination>("/v1/destinations"), [])
  if (loaded.kind !== "here" || loaded.value.length === 0) return null
  return (
    <fieldset class="field">
      <legend>Send the result to</legend>
      {loaded.value.map(({ id, name, type }) => (
        <label key={id} class="switch">
          <input
            type="checkbox"
            checked={draft.destinations.value.includes(id)}
            onChange={(event) => (draft.destinations.value = event.currentTarget.checked
              ? [...draft.destinations.value, id]
              : draft.destinations.value.filter((one) => one !== id))}
          />
          {name} <span class="muted small">{type}</span>
        </label>
      ))}
    </fieldset>
  )
}

function Stack({ draft }: { readonly draft: Draft }) {
  const { loaded } = useLoaded(() => get<ModelStacks>("/v1/model-stacks"), [])
  if (loaded.kind !== "here") return null
  const ready = loaded.value.data.filter((one) => one.ready)
  // Nothing to choose among is no question.
  if (ready.length < 2 && draft.problemOf("model_stack") === null) return null
  return (
    <Field id="model-stack" label="Models" problem={draft.problemOf("model_stack")}>
      <select
        id="model-stack"
        value={draft.stack.value}
        aria-describedby="model-stack-problem"
        onChange={(event) => (draft.stack.value = event.currentTarget.value)}
      >
        <option value="">As this deployment has it</option>
        {ready.map(({ id }) => <option key={id} value={id}>{id}</option>)}
      </select>
    </Field>
  )
}

/** How sure a value must be, and what is known of the footage beforehand. */
export function Options({ draft }: { readonly draft: Draft }) {
  return (
    <section class="step">
      <h2>Options</h2>
      <div class="field">
        <span class="field-label">Precision</span>
        <Segmented
          label="Precision"
          options={precisions}
          chosen={draft.precision.value}
          choose={(one) => (draft.precision.value = one)}
        />
        <p class="help">
          {draft.precision.value === "strict"
            ? "What is not sure is left out, and shown as candidates."
            : "More values, of which more are wrong."}
        </p>
      </div>
      <Stack draft={draft} />
      <TextField draft={draft} of={draft.title} field="title" label="Title" help="By default the file's name." />
      <details>
        <summary>Hints about the footage</summary>
        <div class="pair">
          <TextField
            draft={draft}
            of={draft.speakers}
            field="hints/num_speakers"
            label="Number of speakers"
            type="number"
          />
          <TextField draft={draft} of={draft.language} field="hints/language" label="Language" help="Such as en." />
        </div>
        <TextField
          draft={draft}
          of={draft.participants}
          field="hints/participants"
          label="Participants"
          help="Names, separated by commas."
        />
        <TextField
          draft={draft}
          of={draft.vocabulary}
          field="hints/vocabulary"
          label="Words to listen for"
          help="Products, places, terms, separated by commas."
        />
        <TextField draft={draft} of={draft.recorded} field="hints/recorded_at" label="Recorded on" type="date" />
        <Field
          id="instructions"
          label="How to read it"
          help="In your words, for a language model where one is configured."
          problem={draft.problemOf("instructions")}
        >
          <textarea
            id="instructions"
            rows={3}
            value={draft.instructions.value}
            aria-describedby="instructions-help instructions-problem"
            onInput={(event) => (draft.instructions.value = event.currentTarget.value)}
          />
        </Field>
      </details>
      <Destinations draft={draft} />
      <details>
        <summary>Webhook and notes of your own</summary>
        <TextField
          draft={draft}
          of={draft.webhook}
          field="webhook_url"
          label="Webhook of this job alone"
          help="An https address that is told when the job ends. Its signing secret is shown once, as soon as the job is there."
        />
        <Field
          id="metadata"
          label="Notes of your own"
          help="One on each line, as name: value; jobs can be filtered by them, and webhooks carry them."
          problem={draft.problemOf("metadata")}
        >
          <textarea
            id="metadata"
            rows={3}
            placeholder="order: 4711"
            value={draft.metadata.value}
            aria-describedby="metadata-help metadata-problem"
            onInput={(event) => (draft.metadata.value = event.currentTarget.value)}
          />
        </Field>
      </details>
    </section>
  )
}
