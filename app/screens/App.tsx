import { useEffect } from "preact/hooks"
import { DestinationsScreen } from "../account/DestinationsScreen.tsx"
import { KeysScreen } from "../account/KeysScreen.tsx"
import { SchemasScreen } from "../account/SchemasScreen.tsx"
import { UsageScreen } from "../account/UsageScreen.tsx"
import { findSession, interrupted, session, sessionProblem } from "../service/Service.ts"
import { route } from "../shell/Route.ts"
import { BatchesScreen, BatchScreen } from "./BatchesScreen.tsx"
import { JobScreen } from "./JobScreen.tsx"
import { JobsScreen } from "./JobsScreen.tsx"
import { NewJobScreen } from "./NewJobScreen.tsx"
import { SignInAgain, SignInScreen } from "./SignInScreen.tsx"

function Screen() {
  const [place, id] = route.value.split("?")[0]!.split("/")
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

/** What stands before it is known who is signed in. */
function Opening() {
  const problem = sessionProblem.value
  return problem === null ? <p class="muted loading" role="status">Loading…</p> : (
    <main class="sign-in">
      <div class="sign-in-card">
        <h1 class="wordmark large">Footnote</h1>
        <p class="alert" role="alert">{problem}</p>
        <button type="button" class="primary wide" onClick={() => void findSession()}>Try again</button>
      </div>
    </main>
  )
}

/**
 * The application: whoever is signed in sees a screen by its address, anybody else is asked for a key; whose session ends meanwhile is
 * asked over their screen, which another tenant never sees.
 */
export function App() {
  useEffect(() => void findSession(), [])
  if (session.value === undefined) return <Opening />
  const who = session.value ?? interrupted.value
  if (who === null) return <SignInScreen />
  return (
    <>
      <Screen key={who.tenant.id} />
      {session.value === null ? <SignInAgain /> : null}
    </>
  )
}
