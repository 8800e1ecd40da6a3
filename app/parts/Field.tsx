import type { ComponentChildren } from "preact"

interface Properties {
  readonly label: string
  readonly id: string
  readonly help?: ComponentChildren
  readonly problem?: string | null | undefined
  readonly children: ComponentChildren
}

/** A control with its name, its help, and what is wrong with it. */
export function Field({ children, help, id, label, problem }: Properties) {
  return (
    <div class={problem ? "field wrong" : "field"}>
      <label for={id}>{label}</label>
      {children}
      {help === undefined ? null : <p class="help" id={`${id}-help`}>{help}</p>}
      <p class="problem" id={`${id}-problem`} role={problem ? "alert" : undefined}>{problem}</p>
    </div>
  )
}
