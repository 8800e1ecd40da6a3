/**
 * What a library's error says, as an error with nothing else: name, code, severity, message and stack. Drivers hang whole clients
 * on theirs (sockets, options, PostgreSQL's cancel key), 3.5 KB that neither a log line nor a trace may hold.
 */
export const foreignError = (error: unknown): Error => {
  const given = error instanceof Error ? error : new Error(String(error))
  const { code, severity } = given as { readonly code?: unknown; readonly severity?: unknown }
  const facts = [severity, code].filter((fact) => typeof fact === "string")
  const plain = new Error(facts.length === 0 ? given.message : `${given.message} (${facts.join(" ")})`)
  plain.name = given.name
  if (given.stack !== undefined) plain.stack = given.stack
  return plain
}
