import { Schema } from "effect"
import { breaker, mostInFlight } from "./CircuitBreaker.ts"

/** What is known of an endpoint: `well` once it has answered and not failed since, `failing` from its first failure on. */
export type Standing = "well" | "untried" | "failing"

export const EndpointRecord = Schema.Struct({
  failures: Schema.Finite,
  answered: Schema.Boolean
})

export const standingOf = ({ answered, failures }: typeof EndpointRecord.Type): Standing =>
  failures > 0 ? "failing" : answered ? "well" : "untried"

/** A half open breaker lets one attempt at a time through. */
export const roomAt = (failures: number): number => failures >= breaker.failures ? 1 : mostInFlight.endpoint

export type UnderWay = Readonly<Record<Standing, number>>

export const noneUnderWay: UnderWay = { well: 0, untried: 0, failing: 0 }

/** Attempts under way by the standing of where they go. */
export const countUnderWay = (
  rows: ReadonlyArray<typeof EndpointRecord.Type & { readonly in_flight: number }>
): UnderWay => {
  const under_way = { ...noneUnderWay }
  for (const row of rows) under_way[standingOf(row)] += row.in_flight
  return under_way
}

/**
 * Whether one more attempt at an endpoint of this standing may begin beside those of its tenant that are under way: endpoints that fail
 * cannot hold more than 8 of the tenant's 16 places, and together with those that have never answered no more than 12. Receivers that
 * hang therefore never keep one that answers from its turn, nor one that has yet to be tried once they have been tried themselves.
 */
export const hasRoom = (standing: Standing, { failing, untried, well }: UnderWay): boolean =>
  failing + untried + well < mostInFlight.tenant
  && (standing === "well" || failing + untried < mostInFlight.unproven)
  && (standing !== "failing" || failing < mostInFlight.failing)

/** An endpoint with deliveries that wait for nothing but room. */
export interface WaitingEndpoint extends Schema.Schema.Type<typeof EndpointRecord> {
  readonly endpoint: string
  readonly in_flight: number
  /** Milliseconds: since its oldest delivery waits, or since it last had its turn where that is later. */
  readonly since: number
}

/**
 * Shares up to `most` places of a tenant out among its endpoints that wait: one by one to whoever has the fewest attempts under way, of
 * these to the one that has waited longest. No endpoint gets more than its own room, and no standing more than its share.
 */
export const shareOut = (
  waiting: ReadonlyArray<WaitingEndpoint>,
  under_way: UnderWay,
  most: number
): ReadonlyMap<string, number> => {
  const inLine = waiting.toSorted((a, b) => a.since - b.since)
  const given = new Map<string, number>()
  const taken = { ...under_way }
  let left = most
  for (let level = 0; level < mostInFlight.endpoint; level++) {
    for (const row of inLine) {
      if (left === 0) return given
      const standing = standingOf(row)
      const before = given.get(row.endpoint) ?? 0
      if (row.in_flight + before !== level || level >= roomAt(row.failures) || !hasRoom(standing, taken)) continue
      given.set(row.endpoint, before + 1)
      taken[standing]++
      left--
    }
  }
  return given
}
