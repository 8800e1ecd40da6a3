import type { Effect } from "effect"

/** What differs between the processes of a deployment. */
export const problemCodes = ["blob_store", "encryption_key", "model_files", "clock"] as const
export type ProblemCode = (typeof problemCodes)[number]

/** Something that an operator has to mend; `message` names it and the cure, and is for the log and the operator alone. */
export interface Problem {
  readonly code: ProblemCode
  readonly message: string
  /** Nothing may be worked on until it is mended: what is begun would fail, and look like a fault of the job. */
  readonly stops: boolean
}

/** One thing that a process compares of itself with its deployment. */
export interface Look<E, R> {
  readonly what: string
  /** Undefined where the two are one. */
  readonly look: Effect.Effect<Problem | undefined, E, R>
}

/** The same for whoever asks, key or none: no place, host or key is named. */
export const publicSentences: { readonly [C in ProblemCode]: string } = {
  blob_store:
    "A worker sees another blob store than the API and takes no tasks: give every process the same BLOB_S3_BUCKET, or the same BLOB_DIR on a volume that they share. Its log and npm run doctor name both.",
  encryption_key:
    "A worker lacks the key that the API seals with and takes no tasks: give API and delivery workers the same FOOTNOTE_ENCRYPTION_KEY, and fetch and media workers its FOOTNOTE_SOURCE_KEY. Its log and npm run doctor name both.",
  model_files:
    "A worker lacks files of a model stack that the API offers and takes no tasks: fetch the stack onto the volume that the workers mount (npm run models -- fetch). Its log and npm run doctor name it.",
  clock: "The clock of a worker's machine differs from the database's: synchronise the machines (NTP)."
}
