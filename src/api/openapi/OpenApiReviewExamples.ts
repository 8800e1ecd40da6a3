import type { Schema } from "effect"

const key = { id: "key_01kaj2zzzz7x5v3t1s9r7q5p3n", name: "Ada", prefix: "fnk_6Xq2Lw0N" }

const job_id = "job_01kaj3e5h8z9q0w1x2y3z4a5b6"
const schema = { type: "object", properties: { title: { type: "string" }, price: { type: "number" } } }
const place = { source_ref: "seg#000004", t_start: 12.5, t_end: 15.8, quote: "two hundred and forty-nine" }
const review = {
  id: "rev_01kaj3hp6q8r0s2t4v6w8x0y2z",
  job_id,
  revision: 1,
  base_revision: 0,
  author: { key_id: key.id, name: key.name },
  created_at: "2026-11-20T10:02:00.000Z",
  note: "The price is said at the end.",
  decisions: [{
    pointer: "/price",
    action: "correct",
    before: 294,
    value: 249,
    citations: [{ ...place, origin_channel: "asr" }]
  }]
}

const speakers = [{ id: "S1", label: "Ada Lovelace" }, { id: "S3", same_as: "S1" }]
const heard = (at: number, seconds: number) => ({ id: `S${at}`, heard_as: `Speaker ${at}`, speaking_seconds: seconds })

/** Examples of what people do with a result, in the service's own pages or by the API. */
export const reviewExamples: Readonly<Record<string, Schema.Json>> = {
  SignIn: { api_key: "fnk_6Xq2Lw0NfJ8sVbYc3TzRkAmHdEuGpW1o0kCx4D" },
  Session: {
    tenant: { id: "ten_01kaj2zzyv3t1s9r7q5p3n1m8k", name: "Example" },
    key,
    csrf_token: "r2mYQ0S7w1aJ5xv3oC8eKq4ZbTn9LdGhUfPiXyW6sVE",
    expires_at: "2026-11-20T21:30:00.000Z"
  },
  Reviewer: review.author,
  CreateReview: {
    base_revision: 0,
    note: review.note,
    decisions: [{ pointer: "/price", action: "correct", value: 249, citations: [place] }]
  },
  Review: review,
  ReviewPage: { data: [review], next_cursor: null },
  NamedSpeaker: speakers[0]!,
  NameSpeakers: { speakers },
  JobSpeaker: { ...heard(1, 61.4), label: "Ada Lovelace", same_as: null },
  JobSpeakers: {
    job_id,
    speakers: [
      { ...heard(1, 61.4), label: "Ada Lovelace", same_as: null },
      { ...heard(2, 40.2), label: "Speaker 2", same_as: null },
      { ...heard(3, 3.1), label: "Ada Lovelace", same_as: "S1" }
    ],
    named_by: review.author,
    updated_at: "2026-11-20T10:05:00.000Z"
  },
  JobResult: { job_id, revision: 1, result: { title: "Espresso machine", price: 249 } },
  GoldRecord: {
    id: job_id,
    kind: "video",
    lang: "en",
    schema,
    segments: [{
      id: "seg_00000",
      speaker: "S1",
      t0: 12.1,
      t1: 16,
      text: "The espresso machine is two hundred and forty-nine."
    }],
    ocr: [],
    gold: { title: "Espresso machine", price: 249 },
    evidence: { "/title": ["seg_00000"], "/price": ["seg_00000"] },
    kinds: { "/title": "stated", "/price": "normalised" },
    facts: {},
    traps: [],
    not_stated: []
  }
}
