import type { FetchProgress } from "../../model-stacks/FetchModels.ts"
import type { StackState } from "../../model-stacks/ModelStore.ts"
import type { StoredFile } from "../../model-stacks/StoredFile.ts"
import { renderBar } from "./ProgressBar.ts"

/** Decimal megabytes, as hubs and disks count them. */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

const words: { readonly [S in StoredFile["state"]]: string } = {
  ready: "ready",
  missing: "not fetched",
  other: "another length than locked",
  unlocked: "not locked"
}

const columns = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join("  ").trimEnd()).join("\n")
}

const sizeOf = ({ files }: StackState): string => {
  const known = files.filter(({ size_bytes }) => size_bytes !== null)
  const sum = megabytes(known.reduce((sum, { size_bytes }) => sum + size_bytes!, 0))
  return known.length === files.length ? sum : `${sum} + ${files.length - known.length} unknown`
}

const nextStep = ({ files, ready, stack: { id } }: StackState): string => {
  if (ready) return "ready"
  if (files.some(({ state }) => state === "unlocked")) return `not locked: npm run models -- lock ${id}`
  const absent = files.filter(({ state }) => state !== "ready")
  return absent.every(({ file }) => "hub" in file)
    ? `${absent.length} of ${files.length} files not fetched: npm run models -- fetch ${id}`
    : `incomplete: ${absent.filter(({ file }) => !("hub" in file)).map(({ name }) => name).join(", ")}`
}

/** One line per stack: what it takes and what to run for it. */
export const renderStacks = (states: ReadonlyArray<StackState>): string =>
  columns([
    ["STACK", "FILES", "SIZE", "STATE"],
    ...states.map((state) => [state.stack.id, String(state.files.length), sizeOf(state), nextStep(state)])
  ])

/** One line per file of a stack, by role, and what the stack says of itself. */
export const renderStack = ({ files, stack }: StackState): string => {
  const byName = new Map(files.map((file) => [file.name, file]))
  const roles = Object.entries(stack.roles).map(([role, model]) => [
    model.optional === true ? `${role} (optional)` : role,
    model.driver,
    model.name,
    model.licence
  ])
  const notes = Object.entries(stack.roles).flatMap(([role, { note }]) =>
    note === undefined ? [] : [`${role}: ${note}`]
  )
  return [
    stack.description,
    "",
    columns([["ROLE", "DRIVER", "MODEL", "LICENCE"], ...roles]),
    "",
    columns([
      ["FILE", "SIZE", "STATE"],
      ...[...byName.values()].map(({ name, size_bytes, state }) => [
        name,
        size_bytes === null ? "unknown" : megabytes(size_bytes),
        words[state]
      ])
    ]),
    ...(notes.length === 0 ? [] : ["", ...notes])
  ].join("\n")
}

/** `[████░░] 43 %  encoder.onnx  267.5 / 622.0 MB`: one line, never wider than `width`. */
export const renderFetch = ({ name, received, total }: FetchProgress, width: number): string => {
  const file = name.split("/").at(-1)!
  const part = total === null || total === 0
    ? `${file}  ${megabytes(received)}`
    : `${renderBar(Math.min(1, received / total))}  ${file}  ${(received / 1e6).toFixed(1)} / ${megabytes(total)}`
  return part.slice(0, Math.max(1, width - 1))
}
