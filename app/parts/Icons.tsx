const paths = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M6.5 5h4v14h-4zM13.5 5h4v14h-4z",
  sound: "M4 9v6h4l5 4V5L8 9zM16 8.5a5 5 0 0 1 0 7M18.5 6a8.5 8.5 0 0 1 0 12",
  mute: "M4 9v6h4l5 4V5L8 9zM16.5 9.5l5 5M21.5 9.5l-5 5",
  captions: "M3 5.5h18v13H3zM10 10.5a2.2 2.2 0 1 0 0 3M17 10.5a2.2 2.2 0 1 0 0 3",
  full: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1-1",
  search: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5L21 21",
  check: "M5 12.5l4.5 4.5L19 7.5",
  question: "M9 9.2a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 1.8v.4M12 17.8v.2",
  empty: "M6 12h12",
  person: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.5 20a7.5 7.5 0 0 1 15 0",
  schema: "M8 4c-2 0-2 1.5-2 4s0 4-2 4c2 0 2 1.5 2 4s0 4 2 4M16 4c2 0 2 1.5 2 4s0 4 2 4c-2 0-2 1.5-2 4s0 4-2 4",
  cross: "M6 6l12 12M18 6L6 18",
  keyboard: "M3 6.5h18v11H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8"
} as const

export type IconName = keyof typeof paths

const filled: ReadonlySet<string> = new Set(["play", "pause"])

/** Decoration: what it stands for is always said in words too. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class={filled.has(name) ? "icon filled" : "icon"} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
