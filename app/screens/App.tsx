import { useEffect } from "preact/hooks"
import { DestinationsScreen } from "../account/DestinationsScreen.tsx"
import { KeysScreen } from "../account/KeysScreen.tsx"
import { SchemasScreen } from "../account/SchemasScreen.tsx"
import { UsageScreen } from "../account/UsageScreen.tsx"
import { findSession, session } from "../service/Service.ts"
import { route } from "../shell/Route.ts"
import { BatchesScreen, BatchScreen } from "./BatchesScreen.tsx"
import { JobScreen } from "./JobScreen.tsx"
import { JobsScreen } from "./JobsScreen.tsx"
import { NewJobScreen } from "./NewJobScreen.tsx"
import { SignInScreen } from "./SignInScreen.tsx"

function Screen() {
  const [place, id] = route.value.split(/[/?]/u)
  if (place === "jobs" && id !== undefined && id !== "") return <JobScreen key={id} id={id} />
  if (place === "batches" && id !== undefined && id !== "") return <BatchScreen key={id} id={id} />
  switch (place) {
    case "batches":
      return <BatchesScreen />
    case "new":
      return <NewJobScreen />
    case "schemas":
      return <SchemasScreen />
    case "destinations":
      return <DestinationsScreen />
    case "keys":
      return <KeysScreen />
    case "usage":
      return <UsageScreen />
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
