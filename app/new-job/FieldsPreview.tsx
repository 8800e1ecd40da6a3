import { titleOf } from "../footnotes/JsonPointer.ts"
import type { Json } from "../footnotes/ResultData.ts"
import { type Shape, shapeOf } from "../footnotes/SchemaShape.ts"

const typeOf = ({ type }: Shape): string =>
  [type].flat().filter((one): one is string => typeof one === "string" && one !== "null").join(" or ")

/** Deeper than this a preview is no preview. */
const mostDeep = 3

function Members({ deep, shape }: { readonly shape: Shape; readonly deep: number }) {
  const entry = shape.names.length === 0 && typeOf(shape) === "array" ? shape.child("0") : shape
  if (entry.names.length === 0 || deep >= mostDeep) return null
  return (
    <ul {...(deep === 0 ? { class: "fields-preview", tabIndex: 0, "aria-label": "Fields of the schema" } : {})}>
      {entry.names.map((name) => {
        const member = entry.child(name)
        return (
          <li key={name}>
            <span class="field-name">{member.title ?? titleOf(name)}</span>
            <span class="muted small">{typeOf(member)}</span>
            {member.description === null ? null : <span class="muted small field-says">{member.description}</span>}
            <Members shape={member} deep={deep + 1} />
          </li>
        )
      })}
    </ul>
  )
}

/** What a schema asks for, as a person reads it. */
export function FieldsPreview({ json_schema }: { readonly json_schema: Json }) {
  return <Members shape={shapeOf(json_schema)} deep={0} />
}
