/** ISO 639-2 of what is in no one language: it is not known, there are several, nothing is said, or it has no code. */
const none = new Set(["und", "mul", "zxx", "mis"])

/**
 * A language by BCP 47, with its script and region where they are told: containers write `eng`, `fre` or `fra` (ISO 639-2, of which
 * ICU knows all 20 doubled codes) where callers write `en` and `fr`. Null where no language is told.
 */
export const languageTag = (told: string | null | undefined): string | null => {
  // Only what never makes ICU throw is handed to it; variants and extensions say nothing that is asked here.
  const known = /^(([a-z]{2,3})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?)(?:-[a-z\d]{1,8})*$/iu.exec(told ?? "")
  return known === null || none.has(known[2]!.toLowerCase()) ? null : Intl.getCanonicalLocales(known[1])[0]!
}

/** The language alone, without script and region. */
export const baseLanguage = (told: string | null | undefined): string | null => languageTag(told)?.split("-")[0] ?? null
