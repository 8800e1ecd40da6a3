import type { DestinationStatus } from "./Destination.ts"

/** What the moves of a destination depend on. `failing_since`: the first failed attempt since the last success, in ms. */
export interface DestinationState {
  readonly status: DestinationStatus
  readonly failing_since: number | null
}

/** `final`: no repetition will help until somebody changes something. */
export type DestinationEvent =
  | { readonly kind: "pause" }
  | { readonly kind: "activate" }
  | { readonly kind: "checked"; readonly ok: boolean; readonly final: boolean }
  | { readonly kind: "delivered" }
  | { readonly kind: "failed" }
  | { readonly kind: "gone" }

export const initialState: DestinationState = { status: "active", failing_since: null }

/** Deliveries that fail for so long without a success break their destination. */
export const brokenAfterMillis = 5 * 24 * 3600 * 1000

/**
 * The only rules by which a destination's status changes. A pause is the owner's and ends by the owner's word alone; time
 * spent in it is no time of failure. What is broken becomes active by a good check or the owner's word, and is then given
 * the whole five days again.
 */
export const nextState = (state: DestinationState, event: DestinationEvent, at: number): DestinationState => {
  const breaking = (failing_since: number | null): DestinationState => ({
    status: state.status === "active" ? "broken" : state.status,
    failing_since
  })
  switch (event.kind) {
    case "pause":
      return { status: "paused", failing_since: null }
    case "activate":
      return state.status === "active" ? state : initialState
    case "checked":
      if (event.ok) return state.status === "broken" ? initialState : state
      return event.final ? breaking(state.failing_since) : state
    case "delivered":
      return { ...state, failing_since: null }
    case "failed": {
      const since = state.failing_since ?? at
      return at - since >= brokenAfterMillis ? breaking(since) : { ...state, failing_since: since }
    }
    case "gone":
      return breaking(state.failing_since ?? at)
  }
}
