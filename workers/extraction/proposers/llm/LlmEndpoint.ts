/** A model behind an OpenAI-compatible address, as the operator configured it: plain data for the lane's child process. */
export interface LlmEndpoint {
  /** Address of the API without its `/chat/completions`. */
  readonly url: string
  readonly model: string
  /** Sent to `url` alone; it is in no message, log line or artifact. */
  readonly key: string | null
  readonly timeout_seconds: number
  /** Calls at a time, over all jobs of a process. */
  readonly concurrency: number
  /** How much of a source is sent at once, in tokens of about four characters. */
  readonly chunk_tokens: number
  /** No call is begun that could take a job beyond this many tokens, read and written. */
  readonly most_tokens: number
  /** Price of a million tokens read, and of a million written, in the unit that `usage.cost` is told in. */
  readonly input_price: number
  readonly output_price: number
  /** What happens where the model is away: the built-in proposer with a warning, or a failed job. */
  readonly fallback: "builtin" | "fail"
  /** Whether what the model proposes is judged by it in a call of its own; it is, where nothing is said. */
  readonly judge?: boolean
  /** Whether pictures go along: always, or where the server says that its model takes them; never where nothing is said. */
  readonly pictures?: "auto" | "true" | "false"
  /** Whether it is asked for the graph's names and relations, too; it is not, where nothing is said. */
  readonly graph?: boolean
  /** Folder in which every answer is kept, or from which alone answers come; neither where nothing is said. */
  readonly record?: string
  readonly replay?: string
  /** Which addresses may be reached besides public ones, where a tenant named this one; an operator's may be anywhere. */
  readonly guard?: { readonly allow_private: string; readonly allow_ports: string }
}
