import type { Signal } from "@preact/signals"
import { useState } from "preact/hooks"
import type { Json } from "../footnotes/ResultData.ts"
import type { Shape } from "../footnotes/SchemaShape.ts"
import { Field } from "../parts/Field.tsx"

const kindOf = ({ choices, type }: Shape): "choice" | "number" | "boolean" | "text" | "json" => {
  const types = [type].flat().filter((one) => one !== "null")
  if (choices !== null) return "choice"
  if (types.length !== 1) return types.length === 0 || types.includes("string") ? "text" : "json"
  switch (types[0]) {
    case "number":
    case "integer":
      return "number"
    case "boolean":
      return "boolean"
    case "string":
      return "text"
    default:
      return "json"
  }
}

const parsed = (kind: ReturnType<typeof kindOf>, text: string): Json => {
  switch (kind) {
    case "number": {
      const number = Number(text)
      if (text.trim() === "" || !Number.isFinite(number)) throw new Error("A number is wanted here.")
      return number
    }
    case "text":
      return text
    case "choice":
    case "boolean":
    case "json":
      return JSON.parse(text) as Json
  }
}

interface Properties {
  readonly id: string
  readonly shape: Shape
  readonly value: Json | undefined
  /** What has been typed so far, null before the first letter. */
  readonly typed: Signal<string | null>
  readonly given: (value: Json) => void
  readonly cancel: () => void
}

/** The right value, typed as the schema has it. */
export function ValueField({ cancel, given, id, shape, typed, value }: Properties) {
  const kind = kindOf(shape)
  const choices = kind === "boolean" ? [true, false] : shape.choices ?? []
  const standing = kind === "text" || kind === "number"
    ? (value === null || value === undefined ? "" : String(value))
    : JSON.stringify(value ?? choices[0] ?? null)
  const text = typed.value ?? standing
  const setText = (now: string) => {
    typed.value = now
  }
  const [problem, setProblem] = useState<string | null>(null)
  const submit = (event: Event) => {
    event.preventDefault()
    try {
      given(parsed(kind, text))
    } catch (error) {
      setProblem(error instanceof SyntaxError ? "This is not JSON." : (error as Error).message)
    }
  }
  const common = { id, value: text, "aria-describedby": `${id}-problem` }
  return (
    <form class="correct" onSubmit={submit}>
      <Field id={id} label="The right value" problem={problem}>
        {choices.length > 0
          ? (
            <select {...common} onChange={(event) => setText(event.currentTarget.value)}>
              {choices.map((choice) => {
                const written = JSON.stringify(choice)
                return (
                  <option key={written} value={written}>
                    {typeof choice === "string" ? choice : choice === true ? "Yes" : choice === false ? "No" : written}
                  </option>
                )
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
              rows={Math.min(6, 1 + Math.ceil(text.length / 50))}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
      </Field>
      <div class="row-tools">
        <button class="primary">Correct it</button>
        <button type="button" class="quiet" onClick={cancel}>Not now</button>
      </div>
    </form>
  )
}
