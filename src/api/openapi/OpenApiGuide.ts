/** What has to be known before any single operation: shown by `/docs` first, and by every tool that reads `info.description`. */
export const guide =
  `Footage in, facts out, each with a footnote to its moment: a video and a JSON Schema become typed JSON in which every value cites the second, and the words or pixels, that it came from.

## First steps

1. \`POST /v1/uploads\` with the bytes of a file, or have an \`https://\` address of one.
2. \`POST /v1/jobs\` with \`source_uri\` and a schema, by \`schema_id\` or as \`schema_inline\`. The answer is the job, \`queued\`.
3. \`GET /v1/jobs/{id}?wait=60\` answers when the job is over or the seconds are. Its \`result\` fits the schema; \`GET /v1/jobs/{id}/evidence\` says where each value comes from.

## Authentication

Every route below \`/v1\` wants an API key: \`Authorization: Bearer fnk_…\`. A key belongs to one tenant and sees nothing of others; what belongs to somebody else is answered like what does not exist. Keys are made and revoked at \`/v1/api-keys\`, and shown once.

## Errors

Every error has one form, and an \`X-Request-Id\` to quote:

\`\`\`json
{
  "error": {
    "code": "INVALID_REQUEST",
    "message": "…",
    "details": [{ "path": "/source_uri", "message": "…" }],
    "request_id": "req_…"
  }
}
\`\`\`

\`code\` is one of a closed list and is what programs decide by; \`message\` is for people. Send 408, 429 and 503 again, after \`Retry-After\` where it is given; with the same \`Idempotency-Key\` nothing happens twice. The other 4xx stay as they are until the request changes. Fields that are not known are refused by name.

## Idempotency

\`Idempotency-Key\` (a fresh UUID per intent) makes every \`POST\` safe to send again for 24 hours: the answer is the first one, with \`Idempotent-Replayed: true\`. The same key with another body is refused; so is any key at \`POST /v1/session\`, which takes none.

## Pagination

Lists answer \`{ "data": […], "next_cursor": "…" }\`, newest first. \`limit\` is 1 to 100 (25); hand \`next_cursor\` on as \`cursor\` until it is null. A cursor stays good while rows are added.

## Limits

Requests are counted per tenant; \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` say how many are left. \`GET /v1/limits\` has every limit that applies to you.

## Webhooks

A job with \`webhook_url\`, and every destination of type \`webhook\`, is told how the job ended: a \`POST\` of \`{ "id", "type", "created_at", "data": { "job", "evidence" } }\`, where \`type\` is \`job.succeeded\`, \`job.failed\` or \`job.cancelled\`; destinations are also told of \`job.reviewed\`, \`batch.completed\` and \`destination.test\`. It is signed as Standard Webhooks (standardwebhooks.com) say: \`webhook-signature\` holds \`v1,\` and the Base64 of HMAC-SHA256 over \`webhook-id\`, \`webhook-timestamp\` and the body, joined by dots. The secret (\`whsec_…\`) is in the answer that made the job or the destination, once. Anything but 2xx is tried again for three days, under the same id: take each id once.

## Evidence

\`GET /v1/jobs/{id}/evidence\` has a span for each value of the result: its JSON pointer, \`t_start\` and \`t_end\` in seconds, and what it rests on. \`grade\` says by what kind of proof: \`stated\` (its words are said or shown, also in another form), \`classified\` (a label or a yes or no by meaning), \`computed\` (see \`formula\`), \`generated\` (a summary) or \`default\` (the schema's own). \`checks\` says what was checked: that every quote is in the source (\`quoted\`), that the value follows from the quotes by rule (\`derivable\`), and how surely they answer this field (\`answers\`). \`verified\` is all three; none is called verified for its quote alone. What was not found is listed in \`unfilled\` with the reason and up to three candidates that were held back, never guessed. \`counts\`, also on the job, shows an empty success at once.
`
