import { Schema } from "effect"

/** Seconds from the start of the source, rounded to milliseconds. */
export const Seconds = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))

/** A probability-like score from 0 to 1. */
export const Confidence = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

/** `seg#000004` (a transcript segment) or `frame#000123` (a sampled frame). */
export const SourceRef = Schema.String.check(Schema.isPattern(/^(seg|frame)#\d{6,}$/u))

/** Milliseconds are the finest unit that leaves the service, so that a re-run is byte-equal. */
export const roundSeconds = (seconds: number): number => Math.round(seconds * 1000) / 1000
