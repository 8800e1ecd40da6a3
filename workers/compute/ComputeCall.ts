import { Result, Schema } from "effect"

/** What is wrong with a value, by its place; undefined where nothing is. A message never shows the value itself. */
type Misfit = (value: unknown) => string | undefined

/** One function of a model process, with the schema of what it is asked, answers, and tells before its answer. */
export interface ComputeCall<Input, Output, News> {
  readonly name: string
  readonly isInput: (value: unknown) => value is Input
  readonly isOutput: (value: unknown) => value is Output
  readonly isNews: (value: unknown) => value is News
  readonly misfit: { readonly input: Misfit; readonly output: Misfit; readonly news: Misfit }
}

export type InputOf<C> = C extends ComputeCall<infer Input, infer _O, infer _N> ? Input : never

/** A call as it is declared. The schemas are those of the values themselves: structured clone carries them as they are. */
interface Declared {
  readonly input: Schema.Codec<any, any>
  readonly output: Schema.Codec<any, any>
  readonly news?: Schema.Codec<any, any>
}

type NewsOf<D extends Declared> = D extends { readonly news: infer S extends Schema.Codec<any, any> } ? S["Type"]
  : never

type Calls<D extends Readonly<Record<string, Declared>>> = {
  readonly [K in keyof D]: ComputeCall<D[K]["input"]["Type"], D[K]["output"]["Type"], NewsOf<D[K]>>
}

const misfit = (schema: Schema.Codec<any, any>): Misfit => {
  const decode = Schema.decodeUnknownResult(Schema.toType(schema))
  return (value) => {
    const decoded = decode(value)
    return Result.isFailure(decoded) ? decoded.failure.message.replaceAll(/\s+/gu, " ") : undefined
  }
}

/**
 * The functions of one model process, by name. A value is held to its schema and passed on as it is, neither copied nor cut:
 * typed arrays stay typed arrays, and what is stored of an answer keeps its order of members.
 */
export const computeCalls = <const D extends Readonly<Record<string, Declared>>>(declared: D): Calls<D> =>
  Object.fromEntries(
    Object.entries(declared).map(([name, { input, news = Schema.Never, output }]) => [name, {
      name,
      isInput: Schema.is(input),
      isOutput: Schema.is(output),
      isNews: Schema.is(news),
      misfit: { input: misfit(input), output: misfit(output), news: misfit(news) }
    }])
  ) as Calls<D>
