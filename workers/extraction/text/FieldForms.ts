import { identifierWords } from "./Tokens.ts"

/** What of a leaf says in which form its text is asked for. */
interface Asked {
  readonly name: string
  readonly type: string
  readonly schema: Readonly<Record<string, unknown>>
  /** Name and description in lower case. */
  readonly words: string
}

/** Whether a text has to be a time of day in figures, by its schema's format or by what its description or pattern shows. */
export const wantsClock = ({ schema, type, words }: Asked): boolean => {
  const { format, pattern } = schema
  if (type !== "string" || /\b(?:duration|elapsed|how long|length|took|used|lasted)\b/u.test(words)) return false
  return format === "time" || /(?<![:t\p{L}])hh:mm(?!:?\p{L})/u.test(words) ||
    (typeof pattern === "string" && /^\^?\(?(?:\[01\]|\\d|\(\?:).{0,24}:\[?(?:0-5|\\d)/u.test(pattern))
}

/** Whether a text is to be a day of the week, by its name: "closed_days", "buyingDay", but no dish of the day. */
export const wantsWeekday = ({ name, schema, type, words }: Asked): boolean =>
  type === "string" && schema["format"] === undefined && !/yyyy/u.test(words) &&
  /(?:^|(?<!\bof|\bthe) )(?:week)?days?$|^(?:closed|shut) on$/u.test(identifierWords(name).join(" "))

const NUMBERED =
  /(?:^| )(?:no|nr|num|number|id|ids|tag|plate|paddle|ref|reference|serial|reg|registration|code|call ?sign|sku|designator|postcode|zip|last (?:four|4)(?: digits)?)$/u
const DIALLED = /\b(?:phone|telephone|mobile|fax|callback|cell|hotline|contact number)\b/u

/** Whether a text is what something is numbered by, or dialled by: by its name alone, since descriptions speak of anything. */
export const wantsCode = (asked: Asked): "code" | "phone" | undefined => {
  if (asked.type !== "string" || asked.schema["format"] !== undefined || wantsClock(asked)) return undefined
  const name = identifierWords(asked.name).join(" ")
  if (DIALLED.test(name)) return /\b(?:model|brand|name|type|maker)\b/u.test(name) ? undefined : "phone"
  return NUMBERED.test(name) ? "code" : undefined
}

const UNSPACED = /\b(?:digits only|(?:no|without) (?:blanks?|spaces?))\b/u

/** What is written as a leaf wants it: without blanks and hyphens where its description says so, else as it stands. */
export const spacedFor = ({ words }: Pick<Asked, "words">, written: string): string =>
  UNSPACED.test(words) ? written.replaceAll(/[\s-]/gu, "") : written
