import type { ResolvedModel, ResolvedStack } from "../../../src/model-stacks/ResolvedStack.ts"

/** The models that the speech lane runs, each with its files on this machine. */
export type SpeechRoles = Pick<ResolvedStack["roles"], "vad" | "asr" | "speaker">

/** Whether a model knows a language, by the base tags in its option `languages`; without the option it knows any. */
const knows = ({ options: { languages } }: ResolvedModel, language: string): boolean =>
  !Array.isArray(languages) || languages.includes(language)

/**
 * The recogniser for a language that the caller says is spoken, or for one to find out: the stack's first that knows
 * it, null where none does.
 */
export const recogniserFor = (
  { asr, asr_other }: Pick<ResolvedStack["roles"], "asr" | "asr_other">,
  language: string | null
): ResolvedModel | null => {
  if (language === null || knows(asr, language)) return asr
  return asr_other !== undefined && knows(asr_other, language) ? asr_other : null
}
