import { Config, Context, Effect, type Redacted } from "effect"

/** What docs/configuration.md says of a variable, as Markdown. */
export interface SettingText {
  readonly name: string
  readonly type: string
  readonly default: string
  readonly meaning: string
}

/** Told of each setting when it is read: how the generator of docs/configuration.md finds them. A service tells nobody. */
export const SettingReader = Context.Reference<(setting: SettingText) => void>(
  "footnote/observability/Setting/SettingReader",
  { defaultValue: () => () => {} }
)

/** How a variable's text is read, and what that form is called. */
export interface Form<A> {
  readonly type: string
  readonly read: (name: string) => Config.Config<A>
  readonly show?: (value: A) => string
}

export const text: Form<string> = { type: "text", read: Config.String }
export const list: Form<string> = { type: "list, with commas", read: Config.String }
export const path: Form<string> = { type: "path", read: Config.String }
export const address: Form<string> = { type: "address", read: Config.String }
export const secret: Form<Redacted.Redacted> = { type: "secret", read: Config.Redacted }
export const whole: Form<number> = { type: "whole number", read: Config.Int }
export const amount: Form<number> = { type: "number", read: Config.Number }
export const port: Form<number> = { type: "port", read: Config.Port }
export const flag: Form<boolean> = { type: "`true` or `false`", read: Config.Boolean }
export const bytes: Form<number> = {
  type: "bytes",
  read: Config.Int,
  show: (value) => `\`${value}\` (${value / 1024 ** 3} GiB)`
}
export const oneOf = <const L extends ReadonlyArray<string>>(...literals: L): Form<L[number]> => ({
  type: literals.map((literal) => `\`${literal}\``).join(", "),
  read: (name) => Config.Literals(literals, name)
})

interface Meaning {
  readonly meaning: string
  /** What there is without the variable, where that is not one value, in words. */
  readonly without?: string
}

const shown = <A>({ show }: Form<A>, value: A | undefined): string =>
  value === undefined || value === "" ? "none" : show === undefined ? `\`${String(value)}\`` : show(value)

/**
 * A variable of the environment, with the one place that states its default and what it means: docs/configuration.md is
 * made of these. Fails with the variable's name where its text does not have the form, or where there is neither text nor
 * default.
 */
export function setting<A>(
  name: string,
  form: Form<A>,
  about: Meaning & { readonly otherwise: NoInfer<A> }
): Config.Config<A>
export function setting<A>(name: string, form: Form<A>, about: Meaning): Config.Config<A>
export function setting<A>(
  name: string,
  form: Form<A>,
  { meaning, otherwise, without }: Meaning & { readonly otherwise?: A }
): Config.Config<A> {
  const said = { name, type: form.type, default: without ?? shown(form, otherwise), meaning }
  const config = otherwise === undefined ? form.read(name) : Config.withDefault(form.read(name), otherwise)
  return Config.succeed(said).pipe(
    Config.mapEffect((said) => Effect.map(SettingReader, (tell) => tell(said))),
    Config.flatMap(() => config)
  )
}
