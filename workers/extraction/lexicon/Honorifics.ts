/** As people are called by one name: a part of a pattern, with its point. */
export const HONORIFIC = String.raw`(?:Mrs?|Ms|Miss|Mister|Dr|Doctor|Prof|Professor|Sister|Sir)\.?`
const BEFORE = new RegExp(String.raw`\b${HONORIFIC}\s+$`, "u")
const LEADING = new RegExp(String.raw`^${HONORIFIC}\s+(?=\p{Lu}\S*$)`, "u")

/** As people are called by one name alone, with the blank behind it: the "Mrs " that a text ends with; undefined where it ends with none. */
export const honorificAtEnd = (text: string): string | undefined => BEFORE.exec(text)?.[0]

/** "Mrs Pettigrew" without its honorific; any other text as it is. */
export const withoutHonorific = (text: string): string => text.replace(LEADING, "")
