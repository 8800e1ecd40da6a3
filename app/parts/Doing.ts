import { useState } from "preact/hooks"

/** One thing at a time that may fail: while it is done nothing else begins, and what went wrong is told. */
export function useDoing() {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const run = async (what: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setProblem(null)
    try {
      await what()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, run }
}
