/**
 * Why a passage is not taken at its word. `forged`: it imitates what only code writes (line numbers, fences, answers,
 * ids) or hides characters, and no value may rest on it. `orders`: it tells a reading machine what to do; a person may
 * have said it in earnest, so nothing is guessed from it and what it states plainly is worth less.
 */
export type Injection = "forged" | "orders"

/** What a plain statement in a passage that gives orders is worth beside one in a passage that does not. */
export const ORDERED = 0.5

const FORGED: ReadonlyArray<RegExp> = [
  // Our own numbering of lines, in any brackets.
  /[[(［【〔]\s*\d{1,6}\s*\|\s*[^\]|]{1,40}\|\s*\d{1,4}:\d{2}/u,
  // The same as it is read off a screen, where an upright stroke looks like other letters.
  /[[(]\d{1,6}[|\]!IlJ¦]\S{1,16}[|\]!IlJ¦]\d{1,4}:\d{2}[\])|]/u,
  /={3,}\s*[0-9a-f]{8,}\s*={3,}/iu,
  /\bproposals["']?\s*:\s*\[/iu,
  /["']path["']\s*:\s*["']\/.{0,300}["'](?:quote|refs)["']\s*:/isu,
  /\b(?:seg|frame)#\d{6,}/u
]

/** Terminal codes, reversed text, tags that no screen shows, and letters held apart by nothing. */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]|\p{Script=Latin}[\u200B-\u200D\u2060\uFEFF]+\p{Script=Latin}/u

const RULES = "(?:instructions?|prompts?|rules|orders|guidelines|directions|directives)"
const MACHINE = "(?:ai|a\\.i\\.|llm|language models?|assistants?|chatbots?|extractors?|extraction (?:models?|systems?))"

const ORDERS: ReadonlyArray<RegExp> = [
  new RegExp(
    `\\b(?:ignor(?:e|ing)|disregard|forget|override|bypass)\\b[^.!?]{0,30}\\b(?:previous|prior|above|earlier|preceding|former|all|any|your|these|those|system|other)\\b[^.!?]{0,30}\\b${RULES}\\b`,
    "iu"
  ),
  /\b(?:ignore|disregard|forget)\b[^.!?]{0,20}\b(?:previous|prior|above) (?:context|messages?|text)\b/iu,
  /\b(?:ignore|disregard|forget|bypass|override) (?:the |this |that |your )?(?:json )?(?:schema|form|fields?|format)\b[^.!?]{0,15}\b(?:and|but|instead)\b[^.!?]{0,15}\b(?:answer|respond|reply|return|output|report|extract|write|set|put|fill)\b/iu,
  /\bsystem (?:prompt|instructions?|override)\b|\bhidden (?:prompt|instructions?)\b/iu,
  new RegExp(`\\b(?:you are|you're|act as|pretend to be)\\b[^.!?]{0,30}\\b${MACHINE}\\b`, "iu"),
  new RegExp(
    `\\b(?:dear|attention|note to|message to|instructions? (?:to|for)|hey) (?:the |all |any |every )?${MACHINE}\\b`,
    "iu"
  ),
  // A line that plays a part of a conversation with a model.
  /(?:^|[^\p{L}])SYSTEM\s*:/u,
  /<\|[a-z_]{2,20}\|>|\[\/?INST\]|<<\/?SYS>>/iu,
  /<\/?(?:system|assistant|source|transcript|document|context|instructions?|prompt)>/iu,
  /(?:^|\s)#{2,}\s*(?:instructions?|system|response)\b/iu,
  /\bEND OF (?:THE )?(?:SOURCE|TRANSCRIPT|DOCUMENT|INPUT|PROMPT|DATA)\b/u,
  /\b(?:respond|answer|reply) (?:only|always|nothing but) (?:with|in)\b|\boutput (?:only|nothing but) (?:json|the)\b/iu,
  /\b(?:reveal|print|repeat|show|leak|output|send|include)\b[^.!?]{0,30}\byour (?:prompt|instructions|rules|guidelines)\b/iu,
  /\b(?:reveal|leak|exfiltrate)\b[^.!?]{0,40}\b(?:api keys?|passwords?|credentials)\b/iu,
  /\b(?:do not|don['’]t|never) (?:tell|inform|alert|warn) (?:the )?(?:users?|operators?|humans?)\b/iu,
  /\b(?:dan|god|developer|admin|debug|maintenance) mode (?:is )?(?:now )?(?:enabled|on|activated)\b/iu,
  /\brepeat\b[^.!?]{0,60}\b(?:forever|endlessly|infinitely|without end|\d{4,} times|(?:thousand|million) times)\b/iu,
  /\bignorier\p{L}*\b[^.!?]{0,40}\b(?:anweisung|vorgabe|regel)\p{L}*/iu,
  /\bignor\p{L}*\b[^.!?]{0,30}\b(?:instrucciones|istruzioni|les (?:instructions|consignes))\b/iu,
  /игнорир\p{L}*[^.!?]{0,40}(?:инструкци|указани|правил)\p{L}*/iu,
  /(?:忽略|无视|忘记)[^。！？]{0,12}(?:指令|指示|提示|规则)/u
]

/**
 * Finds prompt injection in a passage by its text alone: null for nearly everything that people say and show. It knows the usual forms and no
 * others, so it is one layer: what it misses still has to be found in the source word for word.
 */
export const injectionOf = (text: string): Injection | null => {
  if (HIDDEN.test(text)) return "forged"
  const plain = text.normalize("NFKC").replaceAll(/\p{Cf}/gu, "").replaceAll(/\s+/gu, " ")
  if (FORGED.some((pattern) => pattern.test(plain))) return "forged"
  return ORDERS.some((pattern) => pattern.test(plain)) ? "orders" : null
}
