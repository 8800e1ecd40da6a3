import { shown } from "../footnotes/Leaves.ts"
import { Icon } from "../parts/Icons.tsx"
import type { Selection } from "../selection/Selection.ts"

/** Which values rest on the word or the frame that was asked about. */
export function Supports({ selection }: { readonly selection: Selection }) {
  const asked = selection.asked.value
  if (asked === null) return null
  const leaves = [...new Set(asked.supports.map(({ leaf }) => leaf))]
  return (
    <div class="supports" role="status">
      <p>
        {leaves.length === 0
          ? "No value rests on "
          : leaves.length === 1
          ? "One value rests on "
          : `${leaves.length} values rest on `}
        <strong dir="auto">{asked.says}</strong>
      </p>
      {leaves.length === 0 ? null : (
        <ul>
          {leaves.map((leaf) => (
            <li key={leaf.pointer}>
              <button
                type="button"
                class="chip"
                dir="auto"
                onClick={() => {
                  const citation = selection.leaf.value === leaf ? selection.citation.value : 0
                  selection.lead(leaf, citation)
                }}
              >
                {leaf.path.join(" › ")}: <span class="serif">{shown(leaf.value)}</span>
                {leaf.number === null ? null : <sup>{leaf.number}</sup>}
              </button>
            </li>
          ))}
        </ul>
      )}
      <button type="button" class="icon-button" aria-label="Close" onClick={() => (selection.asked.value = null)}>
        <Icon name="cross" />
      </button>
    </div>
  )
}
