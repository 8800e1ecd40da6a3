import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { Theme } from "../parts/Theme.tsx"
import { session, signOut } from "../service/Service.ts"
import { route } from "./Route.ts"

const places = [
  ["jobs", "Jobs"],
  ["schemas", "Schemas"],
  ["destinations", "Destinations"],
  ["keys", "Keys"],
  ["usage", "Usage"]
] as const

/** The frame of every screen but a result's: where one can go, and who is signed in. */
export function Shell(
  { children, title, tools }: {
    readonly title: string
    readonly tools?: ComponentChildren
    readonly children: ComponentChildren
  }
) {
  const here = route.value.split(/[/?]/u)[0]
  useEffect(() => {
    document.title = `${title} · Footnote`
  }, [title])
  return (
    <div class="shell">
      <header class="side">
        <a class="wordmark" href="#/jobs">Footnote</a>
        <nav aria-label="Main">
          <a class="primary new-job" href="#/new">New job</a>
          {places.map(([place, name]) => (
            <a
              key={place}
              class="place-link"
              href={`#/${place}`}
              aria-current={here === place || (here === "batches" && place === "jobs") ? "page" : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
        <div class="who">
          <p>
            <strong>{session.value?.tenant.name}</strong>
            <code class="muted">{session.value?.key.prefix}…</code>
          </p>
          <div class="who-tools">
            <button type="button" class="quiet" onClick={() => void signOut()}>Sign out</button>
            <Theme />
          </div>
        </div>
      </header>
      <main class="page">
        <div class="page-head">
          <h1 dir="auto">{title}</h1>
          {tools}
        </div>
        {children}
      </main>
    </div>
  )
}
