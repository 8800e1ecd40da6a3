import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { makeTrie } from "../../../../workers/speech/ctc/Trie.ts"

describe("makeTrie", () => {
  it("finds every word by its letters, the best score of what goes on from them, and nothing else", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "'"), maxLength: 5 })
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(word, fc.integer({ min: -50, max: 0 })), { selector: ([w]) => w }),
        word,
        (entries, wanted) => {
          const tree = makeTrie(entries.map(([word]) => word), (i) => entries[i]![1])
          let node = 0
          for (const letter of wanted) {
            if (node !== -1) node = tree.child(node, letter.charCodeAt(0))
          }
          const below = entries.filter(([word]) => word.startsWith(wanted))
          if (below.length === 0) return assert.isTrue(node === -1 || wanted === "")
          assert.strictEqual(tree.word[node], entries.findIndex(([word]) => word === wanted))
          assert.strictEqual(tree.best[node], Math.max(...below.map(([, score]) => score)))
        }
      )
    )
  })
})
