import { stepsOf, valueAt } from "../footnotes/JsonPointer.ts"
import type { Heading } from "../footnotes/Leaves.ts"
import type { Json } from "../footnotes/ResultData.ts"
import { type Shape, shapeOf } from "../footnotes/SchemaShape.ts"
import type { Selection } from "../selection/Selection.ts"
import { Correcting, Decided } from "./Correcting.tsx"
import type { ReviewDraft } from "./ReviewDraft.ts"

export const shapeAt = (schema: Json, pointer: string): Shape =>
  stepsOf(pointer).reduce((shape, step) => shape.child(step), shapeOf(schema))

const onlyOf = ({ choices }: Shape): Json => (choices.length === 1 ? choices[0]! : null)

/** What an entry of several members begins as: nothing is chosen for anybody but what alone can stand. */
const outline = ({ child, names }: Shape): Json | undefined =>
  names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, onlyOf(child(name))]))

interface Properties {
  readonly draft: ReviewDraft
  readonly selection: Selection
  readonly pointer: string
  readonly name: string
}

/** Adds entries behind the last of a list, one after the other; nothing where no list stands. */
export function AddEntry({ draft, name, pointer, selection }: Properties) {
  const { json_schema, result } = selection.data
  const list = valueAt(result, pointer)
  if (!Array.isArray(list)) return null
  const added: Array<string> = []
  while (draft.decisions.value.has(`${pointer}/${list.length + added.length}`)) {
    added.push(`${pointer}/${list.length + added.length}`)
  }
  const next = list.length + added.length
  const place = `${pointer}/${next}`
  const shape = shapeAt(json_schema, place)
  // The list is decided on as a whole.
  if (draft.decisions.value.has(pointer)) return null
  return (
    <div class="entry-tools">
      {added.map((one) => <Decided key={one} draft={draft} pointer={one} />)}
      {draft.corrections.value.has(place)
        ? (
          <Correcting
            key={place}
            draft={draft}
            pointer={place}
            selection={selection}
            shape={shape}
            value={outline(shape)}
            label={`Entry ${next + 1}`}
            submit="Add it"
          />
        )
        : (
          <button
            type="button"
            class="quiet"
            aria-label={`Add an entry to ${name}`}
            onClick={() => draft.begin(place, `${name} › ${next + 1}`)}
          >
            Add an entry
          </button>
        )}
    </div>
  )
}

/** What a person can say of a list, an entry of one, or a group of values as a whole. */
export function HeadingTools(
  { draft, heading: { entries, path, pointer }, selection }:
    & Pick<Properties, "draft" | "selection">
    & { readonly heading: Heading }
) {
  const name = path.join(" › ")
  const entry = Array.isArray(valueAt(selection.data.result, pointer.slice(0, pointer.lastIndexOf("/"))))
  if (draft.decisions.value.has(pointer)) return <Decided draft={draft} pointer={pointer} />
  return (
    <>
      {entry
        ? (
          <div class="entry-tools">
            <button
              type="button"
              class="quiet"
              aria-label={`Accept the entry ${name}`}
              onClick={() => draft.decide({ pointer, action: "accept" }, name)}
            >
              Accept the entry
            </button>
            <button
              type="button"
              class="quiet danger"
              aria-label={`Reject the entry ${name}`}
              onClick={() => draft.decide({ pointer, action: "reject" }, name)}
            >
              Reject the entry
            </button>
          </div>
        )
        : null}
      {entries === null ? null : <AddEntry draft={draft} pointer={pointer} name={name} selection={selection} />}
    </>
  )
}
