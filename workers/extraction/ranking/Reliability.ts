/** Rules for single fields, by what they read. */
export type Rule =
  | "screen-label"
  | "screen-heading"
  | "screen-name"
  | "screen-address"
  | "screen-map"
  | "summary"
  | "introduction"
  | "own-name"
  | "welcome"
  | "plain-form"
  | "noun-number"
  | "name-kind"
  | "opening-name"
  | "keyed-size"
  | "screen-range"
  | "caption"
  | "only-currency"
  | "number-of"
  | "on-air"
  | "apposition"
  | "assertion"
  | "said-plainly"

/**
 * How often what a rule proposes is right, by who proposes: what stands for a probability where none was fitted. Set by hand
 * from the rules' own order until they are fitted on footage; a proposer that is not named here has `OTHER`.
 */
const RELIABILITY: Readonly<Record<string, number>> = {
  "rules:screen-label": 0.95,
  "rules:screen-heading": 0.9,
  "rules:screen-name": 0.85,
  "rules:screen-address": 0.9,
  "rules:screen-map": 0.8,
  "rules:summary": 0.6,
  "rules:introduction": 0.85,
  "rules:own-name": 0.85,
  "rules:welcome": 0.85,
  "rules:plain-form": 0.85,
  "rules:noun-number": 0.94,
  // More than a title card's heading, which may be the same line.
  "rules:name-kind": 0.93,
  "rules:opening-name": 0.85,
  "rules:keyed-size": 0.95,
  "rules:screen-range": 0.91,
  "rules:caption": 0.91,
  "rules:only-currency": 0.94,
  "rules:number-of": 0.9,
  "rules:on-air": 0.8,
  "rules:apposition": 0.85,
  "rules:assertion": 0.8,
  "rules:said-plainly": 0.8,
  "list:entries": 0.7,
  "list:table": 0.7,
  "list:headed-lines": 0.8,
  "list:signed-lines": 0.8,
  "list:echoed-lines": 0.6,
  "list:counted": 0.7,
  "list:strung": 0.6
}
const OTHER = 0.6

/** Models behind an address, whose probabilities nobody sees, and reading models, whose own are uncalibrated. */
const MODEL = 0.9

/** The measured or assumed reliability of a proposer without probabilities of its own. */
export const reliabilityOf = (proposed_by: string): number =>
  RELIABILITY[proposed_by] ?? (proposed_by.startsWith("llm:") ? MODEL : OTHER)
