import { useEffect, useState } from "preact/hooks"
import { Dialog } from "../parts/Dialog.tsx"
import { Field } from "../parts/Field.tsx"
import { Theme } from "../parts/Theme.tsx"
import { interrupted, messageOf, signIn } from "../service/Service.ts"

/** Exchanges an API key for a session of this browser; the key itself is kept nowhere. */
function SignInForm() {
  const [key, setKey] = useState("")
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setProblem(null)
    try {
      await signIn(key.trim())
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Field
        id="api-key"
        label="API key"
        problem={problem}
        help="Begins with fnk_. Whoever runs this service has one: it is printed at the first start."
      >
        <input
          id="api-key"
          type="password"
          autocomplete="current-password"
          spellcheck={false}
          required
          value={key}
          aria-invalid={problem !== null}
          aria-describedby="api-key-help api-key-problem"
          onInput={(event) => setKey(event.currentTarget.value)}
        />
      </Field>
      <button class="primary wide" disabled={busy}>Sign in</button>
    </form>
  )
}

/** Asks whoever nobody knows for a key. */
export function SignInScreen() {
  useEffect(() => {
    document.title = "Sign in · Footnote"
  }, [])
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <h1 class="wordmark large">Footnote</h1>
        <p class="lead serif">Footage in, facts out, each with a footnote to its moment.</p>
        <SignInForm />
        <p class="small muted">The key is exchanged for a session of 12 hours and kept nowhere in this browser.</p>
      </div>
      <Theme />
    </main>
  )
}

/** Asks whose session has ended over what they were at; closed, it leaves that. */
export function SignInAgain() {
  return (
    <Dialog title="Sign in again" open close={() => (interrupted.value = null)}>
      <p>The session is over. What is on the screen stays, and what was drafted is kept.</p>
      <SignInForm />
    </Dialog>
  )
}
