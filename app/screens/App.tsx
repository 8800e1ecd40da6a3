import { useEffect } from "preact/hooks"
import { findSession, session } from "../service/Service.ts"
import { JobScreen } from "./JobScreen.tsx"
import { JobsScreen } from "./JobsScreen.tsx"
import { NewJobScreen } from "./NewJobScreen.tsx"
import { route } from "./Route.ts"
import { SignInScreen } from "./SignInScreen.tsx"

function Screen() {
  const [place, id] = route.value.split(/[/?]/u)
  if (place === "jobs" && id !== undefined && id !== "") return <JobScreen key={id} id={id} />
  switch (place) {
    case "new":
      return <NewJobScreen />
    default:
      return <JobsScreen />
  }
}

/** The application: whoever is signed in sees a screen by its address, anybody else is asked for a key. */
export function App() {
  useEffect(() => void findSession(), [])
  if (session.value === undefined) return <p class="muted loading" role="status">Loading…</p>
  return session.value === null ? <SignInScreen /> : <Screen />
}
