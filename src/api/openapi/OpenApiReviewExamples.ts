import type { Schema } from "effect"

const key = { id: "key_01kaj2zzzz7x5v3t1s9r7q5p3n", name: "Ada", prefix: "fnk_6Xq2Lw0N" }

/** Examples of what people do with a result, in the service's own pages or by the API. */
export const reviewExamples: Readonly<Record<string, Schema.Json>> = {
  SignIn: { api_key: "fnk_6Xq2Lw0NfJ8sVbYc3TzRkAmHdEuGpW1o0kCx4D" },
  Session: {
    tenant: { id: "ten_01kaj2zzyv3t1s9r7q5p3n1m8k", name: "Example" },
    key,
    csrf_token: "r2mYQ0S7w1aJ5xv3oC8eKq4ZbTn9LdGhUfPiXyW6sVE",
    expires_at: "2026-11-20T21:30:00.000Z"
  }
}
