import type { Tokenizer } from "@huggingface/tokenizers"
import type { Passage } from "../../text/SourceDocument.ts"

/** A stretch of a passage and the tokens that it is to a model. */
export interface Piece {
  readonly passage: Passage
  readonly from: number
  readonly to: number
  readonly ids: ReadonlyArray<number>
}

/** Words with what follows an apostrophe, or signs; a tokeniser divides them further, but joins none of them. */
const PIECE = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)?|[^\s\p{L}\p{N}\p{M}]+/gu
const MOST_KEPT_PIECES = 50_000
/** Tokens that two stretches of one long passage share. */
const OVERLAP = 32

/** What stands before a question, between it and its text, and after both. */
const layoutOf = (tokenizer: Tokenizer) => {
  const plain = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids
  const [question, text] = [plain("a"), plain("b")]
  const { ids } = tokenizer.encode("a", { text_pair: "b" })
  const start = ids.indexOf(question[0]!)
  const end = ids.lastIndexOf(text.at(-1)!)
  return {
    before: ids.slice(0, start),
    between: ids.slice(start + question.length, end + 1 - text.length),
    after: ids.slice(end + 1)
  }
}

/**
 * Text as tokens that are known to stand where they do: passages are encoded piece by piece, because the tokeniser itself
 * tells no offsets. The tokens are those of the whole text for every tokeniser that divides at spaces first.
 */
export const tokensBy = (tokenizer: Tokenizer) => {
  const kept = new Map<string, ReadonlyArray<number>>()
  const encode = (text: string): ReadonlyArray<number> => {
    const known = kept.get(text)
    if (known !== undefined) return known
    if (kept.size >= MOST_KEPT_PIECES) kept.clear()
    const { ids } = tokenizer.encode(text, { add_special_tokens: false })
    kept.set(text, ids)
    return ids
  }

  const piecesOf = (passage: Passage): ReadonlyArray<Piece> =>
    Array.from(passage.text.matchAll(PIECE), ({ 0: text, index }) => {
      const spaced = index === 0 || /\s/u.test(passage.text[index - 1]!)
      return { passage, from: index, to: index + text.length, ids: encode(spaced ? ` ${text}` : text) }
    })

  return { layout: layoutOf(tokenizer), encode, piecesOf }
}

/**
 * Passages in stretches of at most `room` tokens, as many as fit in each. One that is longer by itself is cut, and goes on a
 * little before the cut.
 */
export const stretches = (
  passages: ReadonlyArray<ReadonlyArray<Piece>>,
  room: number
): ReadonlyArray<ReadonlyArray<Piece>> => {
  const out: Array<ReadonlyArray<Piece>> = []
  let current: Array<Piece> = []
  let size = 0
  const close = () => {
    if (current.length > 0) out.push(current)
    current = []
    size = 0
  }
  for (const all of passages) {
    const pieces = all.filter(({ ids }) => ids.length > 0 && ids.length <= room)
    if (size + pieces.reduce((sum, { ids }) => sum + ids.length, 0) > room) close()
    for (const [at, piece] of pieces.entries()) {
      if (size + piece.ids.length > room) {
        close()
        const most = Math.min(OVERLAP, room - piece.ids.length, Math.floor(room / 4))
        for (let back = at - 1; back >= 0 && size + pieces[back]!.ids.length <= most; back--) {
          current.unshift(pieces[back]!)
          size += pieces[back]!.ids.length
        }
      }
      current.push(piece)
      size += piece.ids.length
    }
  }
  close()
  return out
}
