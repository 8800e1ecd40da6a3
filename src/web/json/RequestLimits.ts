/** What holds for the body of any JSON request: bytes, and how deep its brackets nest. */
export const requestLimits = { json_body_bytes: 1_048_576, json_nesting: 100 } as const
