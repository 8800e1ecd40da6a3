import type { Signal } from "@preact/signals"
import { useState } from "preact/hooks"
import type { Json } from "../footnotes/ResultData.ts"
import type { Kind, Shape } from "../footnotes/SchemaShape.ts"
import { Field } from "../parts/Field.tsx"

const kindNames: Readonly<Record<Kind, string>> = {
  choice: "One of the list",
  text: "Text",
  number: "A number",
  boolean: "Yes or no",
  json: "JSON",
  null: "No value"
}

const written = (value: Json): string =>
  typeof value === "string"
    ? value === "" ? "(empty)" : value
    : value === true
    ? "Yes"
    : value === false
    ? "No"
    : value === null
    ? "No value"
    : JSON.stringify(value)

const optionsOf = (kind: Kind, { choices }: Shape): ReadonlyArray<Json> | null =>
  kind === "choice" ? choices : kind === "boolean" ? [true, false] : null

/** The kind that a value is of, else the first that can be given. */
const kindOf = ({ choices, kinds }: Shape, value: Json | undefined): Kind => {
  const listed = choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value))
  const own: Kind = listed
    ? "choice"
    : typeof value === "string"
    ? "text"
    : typeof value === "number"
    ? "number"
    : typeof value === "boolean"
    ? "boolean"
    : "json"
  const given = kinds.find((kind) => kind !== "null")
  return value !== undefined && kinds.includes(own) ? own : given ?? kinds[0]!
}

/** How a value stands in its field before anything is typed; empty where it is of another kind, so that nothing is given unseen. */
const standingOf = (kind: Kind, shape: Shape, value: Json | undefined): string => {
  if (value === undefined || value === null) return ""
  const options = optionsOf(kind, shape)
  if (options !== null) {
    return options.some((one) => JSON.stringify(one) === JSON.stringify(value))
      ? JSON.stringify(value)
      : ""
  }
  if (kind === "json") return JSON.stringify(value, null, 2)
  return typeof value === (kind === "text" ? "string" : "number") ? String(value) : ""
}

const parsed = (kind: Kind, text: string): Json => {
  if (kind === "null") return null
  if (kind === "text") return text
  if (kind === "number") {
    const number = Number(text)
    if (text.trim() === "" || !Number.isFinite(number)) throw new Error("A number is wanted here.")
    return number
  }
  if (kind !== "json" && text === "") throw new Error("Choose one.")
  return JSON.parse(text) as Json
}

const isKind = (name: string | null): name is Kind => name !== null && Object.hasOwn(kindNames, name)

interface Properties {
  readonly id: string
  readonly label: string
  readonly submit: string
  readonly shape: Shape
  readonly value: Json | undefined
  /** Which kind somebody chose, null before. */
  readonly kind: Signal<string | null>
  /** What has been typed so far, null before the first letter. */
  readonly typed: Signal<string | null>
  readonly given: (value: Json) => void
  readonly cancel: () => void
}

/** The right value, of a kind that the schema has, and judged by it before it is taken. */
export function ValueField({ cancel, given, id, kind: chosen, label, shape, submit, typed, value }: Properties) {
  const { kinds } = shape
  const kind = isKind(chosen.value) && kinds.includes(chosen.value) ? chosen.value : kindOf(shape, value)
  const options = optionsOf(kind, shape)
  const text = typed.value ?? standingOf(kind, shape, value)
  const [problem, setProblem] = useState<string | null>(null)
  const setText = (now: string) => {
    typed.value = now
    setProblem(null)
  }
  const take = (event: Event) => {
    event.preventDefault()
    try {
      const right = parsed(kind, text)
      const misfit = shape.misfit(right)
      if (misfit === null) given(right)
      else setProblem(misfit)
    } catch (error) {
      setProblem(error instanceof SyntaxError ? "This is not JSON." : (error as Error).message)
    }
  }
  const common = { id, value: text, "aria-invalid": problem !== null, "aria-describedby": `${id}-problem` }
  return (
    <form class="correct" onSubmit={take}>
      {kinds.length === 1 ? null : (
        <div class="field">
          <label for={`${id}-kind`}>Kind of value</label>
          <select
            id={`${id}-kind`}
            value={kind}
            onChange={(event) => {
              chosen.value = event.currentTarget.value
              typed.value = null
              setProblem(null)
            }}
          >
            {kinds.map((one) => <option key={one} value={one}>{kindNames[one]}</option>)}
          </select>
        </div>
      )}
      {kind === "null"
        ? <p class="problem" role={problem === null ? undefined : "alert"}>{problem}</p>
        : (
          <Field id={id} label={label} problem={problem}>
            {options !== null
              ? (
                <select {...common} onChange={(event) => setText(event.currentTarget.value)}>
                  <option value="">Choose…</option>
                  {options.map((option) => {
                    const name = JSON.stringify(option)
                    return <option key={name} value={name}>{written(option)}</option>
                  })}
                </select>
              )
              : kind === "number"
              ? (
                <input
                  {...common}
                  type="text"
                  inputMode="decimal"
                  onInput={(event) => setText(event.currentTarget.value)}
                />
              )
              : (
                <textarea
                  {...common}
                  dir="auto"
                  class={kind === "json" ? "code" : ""}
                  rows={Math.min(8, Math.max(text.split("\n").length, 1 + Math.ceil(text.length / 50)))}
                  onInput={(event) => setText(event.currentTarget.value)}
                />
              )}
          </Field>
        )}
      <div class="row-tools">
        <button class="primary">{submit}</button>
        <button type="button" class="quiet" onClick={cancel}>Not now</button>
      </div>
    </form>
  )
}
