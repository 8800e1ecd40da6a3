interface Properties<Name extends string> {
  readonly label: string
  readonly options: ReadonlyArray<readonly [Name, string]>
  readonly chosen: Name
  readonly choose: (name: Name) => void
}

/** One of a few. */
export function Segmented<Name extends string>({ choose, chosen, label, options }: Properties<Name>) {
  return (
    <div class="segmented" role="group" aria-label={label}>
      {options.map(([name, title]) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === chosen}
          onClick={() => choose(name)}
        >
          {title}
        </button>
      ))}
    </div>
  )
}
