import type { ComponentChildren } from "preact"
import { useRef } from "preact/hooks"

interface Properties<Name extends string> {
  readonly tabs: ReadonlyArray<readonly [Name, string]>
  readonly chosen: Name
  readonly choose: (name: Name) => void
  readonly label: string
  readonly children: ComponentChildren
}

/** Tabs by the pattern of the ARIA Authoring Practices: arrows move between them, one is in the order of Tab. */
export function Tabs<Name extends string>({ children, choose, chosen, label, tabs }: Properties<Name>) {
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    event.stopPropagation()
    const at = tabs.findIndex(([name]) => name === chosen)
    const to = (at + by + tabs.length) % tabs.length
    choose(tabs[to]![0])
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[to]?.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map(([name, title]) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === chosen}
            aria-controls={name === chosen ? `panel-${name}` : undefined}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => choose(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div class="panel" role="tabpanel" id={`panel-${chosen}`} aria-labelledby={`tab-${chosen}`}>{children}</div>
    </>
  )
}
