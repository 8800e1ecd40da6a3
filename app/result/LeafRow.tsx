import { useEffect, useRef } from "preact/hooks"
import { type Leaf, type LeafState, shown } from "../footnotes/Leaves.ts"
import { clock } from "../footnotes/Moments.ts"
import { modalities, percent } from "../footnotes/Wording.ts"
import { Icon, type IconName } from "../parts/Icons.tsx"
import type { Selection } from "../selection/Selection.ts"
import { FootnoteDetails } from "./FootnoteDetails.tsx"

const states: Readonly<Record<LeafState, { readonly says: string; readonly icon: IconName }>> = {
  verified: { says: "verified", icon: "check" },
  not_verified: { says: "not verified", icon: "question" },
  unfilled: { says: "not filled", icon: "empty" },
  schema: { says: "the schema's own", icon: "schema" },
  person: { says: "by a person", icon: "person" },
  uncited: { says: "without evidence", icon: "question" }
}

const emptyWords: Readonly<Record<string, string>> = {
  not_found: "not in the footage",
  not_stated: "not stated",
  below_threshold: "not sure enough",
  refused: "refused",
  conflicting: "conflicting",
  source_unclear: "unclear",
  unsupported: "cannot be answered",
  budget: "no budget left"
}

function Value({ leaf }: { readonly leaf: Leaf }) {
  const { unfilled, value } = leaf
  const text = shown(value)
  const held = unfilled?.candidates.length ?? 0
  if (unfilled !== null) {
    // A list whose entries stand below, and of which more was held back.
    const partly = typeof value === "object" && value !== null && Object.keys(value).length > 0
    return (
      <span class="value none" dir="auto">
        {partly ? "more, " : ""}
        {emptyWords[unfilled.reason] ?? unfilled.reason.replaceAll("_", " ")}
        {held === 0 ? null : <span class="held">{held === 1 ? "1 candidate" : `${held} candidates`}</span>}
        {partly || value === undefined || value === null || text === ""
          ? null
          : <span class="placeholder">{text} stands in</span>}
      </span>
    )
  }
  return (
    <span class={typeof value === "string" ? "value" : "value exact"} dir="auto">
      {value === null || value === undefined ? "null" : text === "" ? "(empty)" : text}
      {leaf.number === null ? null : <sup>{leaf.number}</sup>}
    </span>
  )
}

/** A leaf of the result: what it says, by what kind of proof, how surely, and whether it is verified. */
export function LeafRow({ leaf, selection }: { readonly leaf: Leaf; readonly selection: Selection }) {
  const { asked, leaf: selected, reveal } = selection
  const { span, state, title, unfilled } = leaf
  const open = selected.value === leaf
  const button = useRef<HTMLButtonElement>(null)
  const supported = asked.value?.supports.some((one) => one.leaf === leaf) === true
  useEffect(() => {
    // Only where the keys were here already: whoever is at the search stays there.
    if (open && document.activeElement?.closest(".values") !== null) button.current?.focus({ preventScroll: true })
  }, [open, reveal.value])
  return (
    <div
      class={["leaf", state, open ? "open" : "", supported ? "supported" : ""].join(" ")}
      style={{ "--depth": leaf.depth }}
    >
      <button
        type="button"
        ref={button}
        class="leaf-button"
        aria-expanded={open}
        data-pointer={leaf.pointer}
        title={leaf.description ?? undefined}
        onClick={() => selection.select(leaf, 0, true)}
      >
        <span class="state">
          <Icon name={states[state].icon} />
          <span class="hidden">{states[state].says}</span>
        </span>
        <span class="leaf-title" dir="auto">
          {/^\d+$/u.test(title) ? <span class="entry-number">{title}</span> : title}
        </span>
        <Value leaf={leaf} />
        <span class="facts">
          {span === null || unfilled !== null ? null : (
            <>
              {state === "person" ? null : <span>{span.grade}</span>}
              {leaf.number === null ? null : <span>{modalities[span.modality]}</span>}
              {leaf.number === null ? null : <span class="number">{clock(span.t_start)}</span>}
              {span.confidence === null || leaf.number === null || state === "person" ?
                null :
                <span class="number" title="Confidence">{percent(span.confidence)}</span>}
            </>
          )}
        </span>
      </button>
      {open ? <FootnoteDetails leaf={leaf} selection={selection} /> : null}
    </div>
  )
}
