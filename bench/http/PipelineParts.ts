/** What stands around every request, from the outside in. */
export const pipelineParts = [
  "access log, ids, metrics, headers",
  "compression",
  "CORS",
  "deadline and error envelope"
] as const
