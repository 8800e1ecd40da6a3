/** Recognisers write `Hello, I’m Ada.` or `hello i'm ada`, and a caller's roster has capitals. */
const bare = (word: string): string =>
  word.toLowerCase().replaceAll("’", "'").replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "")

/** "That is who I am. Ada, go on." introduces nobody. */
const isBroken = (word: string): boolean => /[^\p{L}\p{N}]$/u.test(word)

const openings = [["my", "name", "is"], ["my", "name's"], ["i'm"], ["i", "am"]]

/**
 * Names for speakers out of the caller's roster: the only participant's for the only speaker, else that of whoever
 * introduces themselves by it (`my name is …`, `I'm …`, in full or by a first name that no one else bears). A name that
 * two speakers claim, and a speaker who claims two, get none: a roster never adds a fact.
 */
export const nameSpeakers = (
  participants: ReadonlyArray<string>,
  wordsBySpeaker: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<string | null> => {
  if (participants.length === 1 && wordsBySpeaker.length === 1) return [participants[0]!]
  const names = participants.map((name) => name.split(/\s+/u).map(bare).filter((word) => word !== ""))
  const claims = wordsBySpeaker.map((written) => {
    const words = written.map(bare)
    const found = new Set<number>()
    for (let at = 0; at < words.length; at++) {
      const opening = openings.find((opening) => opening.every((word, i) => words[at + i] === word))
      if (opening === undefined || isBroken(written[at + opening.length - 1]!)) continue
      names.forEach((name, i) => {
        const after = words.slice(at + opening.length, at + opening.length + name.length)
        const inFull = name.length > 0 && name.every((word, k) => after[k] === word)
        const unique = names.filter((other) => other[0] === name[0]).length === 1
        if (inFull || (unique && name.length > 0 && after[0] === name[0])) found.add(i)
      })
    }
    return found.size === 1 ? [...found][0]! : null
  })
  return claims.map((claim) =>
    claim !== null && claims.filter((other) => other === claim).length === 1 ? participants[claim]! : null
  )
}
