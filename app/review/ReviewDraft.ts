import { computed, type Signal, signal } from "@preact/signals"
import type {
  CreateReview,
  GivenCitation,
  GivenDecision,
  Review
} from "../../clients/typescript/src/generated/types.ts"
import { valueAt } from "../footnotes/JsonPointer.ts"
import { shown } from "../footnotes/Leaves.ts"
import type { Json } from "../footnotes/ResultData.ts"
import { call, messageOf, Refused } from "../service/Service.ts"
import { addedAt, carried, type Drafted, listAddedTo, uponOf } from "./Carried.ts"
import { decisionInWords } from "./DecisionInWords.ts"

/** Where one decision stands in another's way, the wider one is dropped: an accepted list whose entry is corrected is not accepted. */
const apart = (a: string, b: string): boolean => a !== b && !a.startsWith(`${b}/`) && !b.startsWith(`${a}/`)

export type Cited = GivenCitation & { readonly quote: string }

/** A correction that is being made: what is typed so far, null before the first letter, and what is marked as its evidence. */
export interface Correction {
  readonly name: string
  readonly upon: string
  /** Which of the kinds that its field allows; null: the first that fits. */
  readonly kind: Signal<string | null>
  readonly typed: Signal<string | null>
  readonly cited: Signal<ReadonlyArray<Cited>>
  /** What was decided and is open again; undefined where the value that stands is what is corrected. */
  readonly right: Json | undefined
}

/** A draft as it is kept beside the page. */
export interface KeptDraft {
  readonly base_revision: number
  readonly decisions: ReadonlyArray<Drafted>
  readonly corrections: ReadonlyArray<{
    readonly pointer: string
    readonly name: string
    readonly upon: string
    readonly kind: string | null
    readonly typed: string | null
    readonly cited: ReadonlyArray<Cited>
    readonly right?: Json | undefined
  }>
  readonly note: string
  readonly told: ReadonlyArray<string>
}

/** What a draft stands on. */
export interface Standing {
  readonly result: Json
  readonly revision: number
  /** The reviews there are, newest first, as far as they were read. */
  readonly reviews: ReadonlyArray<Review>
}

const begun = ({ cited, right, typed }: Correction): boolean =>
  typed.value !== null || cited.value.length > 0 || right !== undefined

const saidBy = ({ cited, right, typed }: Correction): string =>
  typed.value ?? (right === undefined ? cited.value.map(({ quote }) => quote).join(", ") : shown(right))

/** What a person has decided on a result and not saved yet. It outlives the screens that show it. */
export class ReviewDraft {
  readonly job_id: string
  readonly base = signal(0)
  readonly drafted = signal<ReadonlyMap<string, Drafted>>(new Map())
  readonly decisions = computed<ReadonlyMap<string, GivenDecision>>(() =>
    new Map(Array.from(this.drafted.value, ([pointer, { decision }]) => [pointer, decision]))
  )
  readonly count = computed(() => this.drafted.value.size)
  /** By pointer: they outlive the rows that show them, which go when they are scrolled out of sight. */
  readonly corrections = signal<ReadonlyMap<string, Correction>>(new Map())
  /** Those that something was typed or marked for. */
  readonly unfinished = computed(() => [...this.corrections.value.values()].filter(begun))
  readonly note = signal("")
  /** What became of it on a newer revision, until it was read. */
  readonly told = signal<ReadonlyArray<string>>([])
  readonly problem = signal<string | null>(null)
  readonly saving = signal(false)
  readonly unsaved = computed(() => this.count.value > 0 || this.unfinished.value.length > 0)
  #result: Json = null
  /** Revisions that were saved from here are no news. */
  readonly #own = new Set<number>()

  constructor(job_id: string, kept: KeptDraft | null) {
    this.job_id = job_id
    if (kept === null) return
    this.base.value = kept.base_revision
    this.drafted.value = new Map(kept.decisions.map((one) => [one.decision.pointer, one]))
    this.corrections.value = new Map(
      kept.corrections.map(({ cited, kind, name, pointer, right, typed, upon }) => [
        pointer,
        { name, upon, kind: signal(kind), typed: signal(typed), cited: signal(cited), right }
      ])
    )
    this.note.value = kept.note
    this.told.value = kept.told
  }

  /** All of it; null where there is nothing to keep. */
  kept(): KeptDraft | null {
    if (!this.unsaved.value && this.note.value === "" && this.told.value.length === 0) return null
    return {
      base_revision: this.base.value,
      decisions: [...this.drafted.value.values()],
      corrections: Array.from(this.corrections.value, ([pointer, { cited, kind, name, right, typed, upon }]) => ({
        pointer,
        name,
        upon,
        kind: kind.value,
        typed: typed.value,
        cited: cited.value,
        right
      })),
      note: this.note.value,
      told: this.told.value
    }
  }

  /** Puts the draft on what stands by now, and tells what of it does not mean the same there. */
  standOn({ result, reviews, revision }: Standing): void {
    const from = this.base.value
    this.#result = result
    this.base.value = revision
    if (from === revision) return
    if (!this.unsaved.value) {
      this.corrections.value = new Map()
      return
    }
    this.problem.value = null
    const later = reviews.filter((one) => one.revision > from)
    const since = later.length === revision - from ? later : null
    // Together, as entries that are added stand behind each other, the one that is being typed as the last.
    const all: ReadonlyArray<Drafted & { readonly correction?: Correction }> = [
      ...this.drafted.value.values(),
      ...this.#open()
    ]
    const { aside, kept, reopened } = carried(all, result, since)
    const decisions = kept.filter(({ correction }) => correction === undefined)
    const corrections = new Map<string, Correction>()
    const told: Array<string> = []
    for (const { correction, decision: { pointer }, name } of [...kept, ...reopened]) {
      if (correction !== undefined) corrections.set(pointer, { ...correction, name, upon: uponOf(result, pointer) })
    }
    for (const { correction, decision: { citations = [], pointer, value }, name } of reopened) {
      if (correction !== undefined) continue
      corrections.set(pointer, {
        name,
        upon: uponOf(result, pointer),
        kind: signal(null),
        typed: signal(null),
        cited: signal(citations.map((one) => ({ ...one, quote: one.quote ?? "" }))),
        right: value as Json
      })
      const stands = shown(valueAt(result, pointer))
      told.push(`${name}: it says “${stands}” now. Your “${shown(value as Json)}” is open again to be looked at.`)
    }
    for (const { correction, decision, name } of aside) {
      const says = correction === undefined ? decisionInWords(decision) : saidBy(correction)
      if (correction === undefined) {
        told.push(`${name}: “${says}” is set aside, what stands there may be something else now.`)
      } else if (says !== "") {
        told.push(`${name}: your unfinished “${says}” is set aside, the place may be another by now.`)
      }
    }
    this.drafted.value = new Map(decisions.map((one) => [one.decision.pointer, one]))
    this.corrections.value = corrections
    const news = later.filter((one) => !this.#own.has(one.revision)).toReversed().map((
      { author, note, revision: at }
    ) => `${author.name} saved revision ${at}${note === null ? "." : `: “${note}”`}`)
    const stays = decisions.length === 0
      ? []
      : [
        decisions.length === 1
          ? "1 decision of yours stays as it is."
          : `${decisions.length} decisions of yours stay as they are.`
      ]
    if (news.length > 0 || told.length > 0) this.told.value = [...this.told.value, ...news, ...stays, ...told]
  }

  decide(decision: GivenDecision, name: string): void {
    this.problem.value = null
    const one = { decision, upon: uponOf(this.#result, decision.pointer), name }
    this.drafted.value = new Map([
      ...[...this.drafted.value].filter(([pointer]) => apart(pointer, decision.pointer)),
      [decision.pointer, one]
    ])
  }

  begin(pointer: string, name: string): void {
    const upon = uponOf(this.#result, pointer)
    const one = { name, upon, kind: signal(null), typed: signal(null), cited: signal([]), right: undefined }
    this.corrections.value = new Map([...this.corrections.value, [pointer, one]])
  }

  leave(pointer: string): void {
    this.corrections.value = new Map([...this.corrections.value].filter(([one]) => one !== pointer))
  }

  undo(pointer: string): void {
    const gone = this.drafted.value.get(pointer)
    if (gone === undefined) return
    const list = listAddedTo(gone)
    // Entries that are added stand one behind the other, the one that is being typed as the last.
    const moved = <A extends Drafted>(one: A): A => {
      const place = listAddedTo(one) === list ? Number(one.decision.pointer.slice((list?.length ?? 0) + 1)) : 0
      return list !== null && place > Number(pointer.slice(list.length + 1)) ? addedAt(one, list, place - 1) : one
    }
    const left = [...this.drafted.value.values()].filter((one) => one !== gone).map(moved)
    this.drafted.value = new Map(left.map((one) => [one.decision.pointer, one]))
    const open = this.#open().map(moved)
    this.corrections.value = new Map(
      open.map(({ correction, decision, name }) => [decision.pointer, { ...correction, name }])
    )
  }

  /** The corrections as decisions of which the value is not known yet. */
  #open(): ReadonlyArray<Drafted & { readonly correction: Correction }> {
    return Array.from(this.corrections.value, ([pointer, correction]) => ({
      decision: { pointer, action: "correct" },
      upon: correction.upon,
      name: correction.name,
      correction
    }))
  }

  /**
   * Stores all that is decided as one revision, with what is not decided accepted (`others`). Answers whether there is something newer to
   * be shown: what was stored, or what somebody else stored meanwhile, with the draft kept.
   */
  async save(others: boolean): Promise<boolean> {
    this.saving.value = true
    this.problem.value = null
    try {
      const decided = [...this.decisions.value.values()]
      const body: CreateReview = {
        base_revision: this.base.value,
        note: this.note.value.trim() || null,
        decisions: others ? [{ pointer: "", action: "accept" }, ...decided] : decided
      }
      const { revision } = await call<Review>("POST", `/v1/jobs/${this.job_id}/reviews`, body)
      this.#own.add(revision)
      this.drafted.value = new Map([...this.drafted.value].filter(([, { decision }]) => !decided.includes(decision)))
      this.note.value = ""
      return true
    } catch (error) {
      if (error instanceof Refused && error.code === "REVIEW_CONFLICT") return true
      const details = error instanceof Refused ? error.details.map(({ message }) => message).slice(0, 3).join(" ") : ""
      this.problem.value = `${messageOf(error)} ${details}`.trim()
      return false
    } finally {
      this.saving.value = false
    }
  }
}
