import { computed, type Signal, signal } from "@preact/signals"
import type {
  CreateReview,
  GivenCitation,
  GivenDecision,
  Review
} from "../../clients/typescript/src/generated/types.ts"
import { call, Refused } from "../service/Service.ts"

/** Where one decision stands in another's way, the wider one is dropped: an accepted list whose entry is corrected is not accepted. */
const apart = (a: string, b: string): boolean => a !== b && !a.startsWith(`${b}/`) && !b.startsWith(`${a}/`)

export type Cited = GivenCitation & { readonly quote: string }

/** A correction that is being made: what is typed so far, null before the first letter, and what is marked as its evidence. */
export interface Correction {
  readonly typed: Signal<string | null>
  readonly cited: Signal<ReadonlyArray<Cited>>
}

/** What a person has decided on a result and not saved yet. */
export class ReviewDraft {
  readonly job_id: string
  readonly base_revision: number
  readonly decisions = signal<ReadonlyMap<string, GivenDecision>>(new Map())
  readonly count = computed(() => this.decisions.value.size)
  /** By pointer: they outlive the rows that show them, which go when they are scrolled out of sight. */
  readonly corrections = signal<ReadonlyMap<string, Correction>>(new Map())
  readonly problem = signal<string | null>(null)
  readonly saving = signal(false)

  constructor(job_id: string, base_revision: number) {
    this.job_id = job_id
    this.base_revision = base_revision
  }

  decide(decision: GivenDecision): void {
    this.problem.value = null
    this.decisions.value = new Map([
      ...[...this.decisions.value].filter(([pointer]) => apart(pointer, decision.pointer)),
      [decision.pointer, decision]
    ])
  }

  begin(pointer: string): void {
    const correction = { typed: signal(null), cited: signal([]) }
    this.corrections.value = new Map([...this.corrections.value, [pointer, correction]])
  }

  leave(pointer: string): void {
    this.corrections.value = new Map([...this.corrections.value].filter(([one]) => one !== pointer))
  }

  undo(pointer: string): void {
    this.decisions.value = new Map([...this.decisions.value].filter(([one]) => one !== pointer))
  }

  /** Stores all of it as one revision, with what is not decided accepted (`others`); answers whether it is stored. */
  async save({ note, others }: { readonly note: string | null; readonly others: boolean }): Promise<boolean> {
    this.saving.value = true
    this.problem.value = null
    try {
      const decided = [...this.decisions.value.values()]
      const body: CreateReview = {
        base_revision: this.base_revision,
        note,
        decisions: others ? [{ pointer: "", action: "accept" }, ...decided] : decided
      }
      await call<Review>("POST", `/v1/jobs/${this.job_id}/reviews`, body)
      return true
    } catch (error) {
      const details = error instanceof Refused ? error.details.map(({ message }) => message).slice(0, 3).join(" ") : ""
      this.problem.value = `${error instanceof Error ? error.message : String(error)} ${details}`.trim()
      return false
    } finally {
      this.saving.value = false
    }
  }
}
