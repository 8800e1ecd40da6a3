import { Context } from "effect"
import { niceness } from "../../src/processes/Priority.ts"

/** Whether what is computed is of a tenant with a long line while another's is short (`HeldTask.backlogged`). */
export const Backlogged = Context.Reference<boolean>("footnote/workers/engine/Backlogged", {
  defaultValue: () => false
})

/** How far a process stands behind that computes for it. */
export const computationNiceness = (backlogged: boolean): number => backlogged ? niceness.backlog : niceness.computation
