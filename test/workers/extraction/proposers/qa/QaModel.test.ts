import { Tokenizer } from "@huggingface/tokenizers"
import * as fc from "fast-check"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { openQaModel } from "../../../../../workers/extraction/proposers/qa/QaModel.ts"
import { stretches, tokensBy } from "../../../../../workers/extraction/proposers/qa/QaTokens.ts"
import { documentOf } from "../../Footage.ts"
import { toyTokenizer, toyWords, writeToyQa } from "./ToyQa.ts"

const root = mkdtempSync(join(tmpdir(), "footnote-qa-"))
afterAll(() => rmSync(root, { recursive: true }))

const passagesOf = (...texts: ReadonlyArray<string>) =>
  documentOf(texts.map((text, at) => [at * 10, "S1", text] as const)).passages

const never = new AbortController().signal
const ask = async (question: string, texts: ReadonlyArray<string>, options: Parameters<typeof writeToyQa>[1] = {}) => {
  await using model = await openQaModel(writeToyQa(join(root, "ask"), options))
  const answers = await model.answer(question, passagesOf(...texts), never)
  return answers.map(({ probability, span }) => ({
    text: span.passage.text.slice(span.from, span.to),
    passage: span.passage.index,
    sure: probability > 0.9
  }))
}

describe("openQaModel", () => {
  it("points at the words that answer, in their own spelling", async () => {
    const texts = ["Good morning.", "With us, as always: Dana Whitfield, who knows it all."]
    expect(await ask("What is the host?", texts)).toEqual([{ text: "Dana Whitfield", passage: 1, sure: true }])
  })

  it("says nothing where the text does not answer, nor to a question that it does not know", async () => {
    expect(await ask("What is the host?", ["Nobody is here today."])).toEqual([])
    expect(await ask("What is the price?", ["Dana Whitfield has nine."])).toEqual([])
  })

  it("answers once for each stretch that it can see at once, and finds what stands at a cut", async () => {
    const filler = Array.from({ length: 40 }, () => "is the").join(" ")
    const long = `${filler} Dana Whitfield ${filler} Omar Reyes ${filler}`
    const found = await ask("What is the host?", [long], { max_tokens: 70 })
    expect(new Set(found.map(({ text }) => text))).toEqual(new Set(["Dana Whitfield", "Omar Reyes"]))
  })

  it("never joins the words of two passages to an answer", async () => {
    expect(await ask("What is the host?", ["This was Dana", "Whitfield is a town."])).toEqual([])
  })

  it("stops between two runs when it is told to", async () => {
    await using model = await openQaModel(writeToyQa(join(root, "stop")))
    await expect(
      model.answer("What is the host?", passagesOf("Dana Whitfield"), AbortSignal.abort(new Error("cancelled")))
    )
      .rejects.toThrow("cancelled")
  })

  it.each([
    ["another driver", { driver: "generative" }, /generative/u],
    ["other outputs", { outputs: ["logits", "end_logits"] as const }, /start_logits/u],
    ["room for no text", { max_tokens: 12 }, /sees too little/u]
  ])("refuses %s as MODEL_UNAVAILABLE", async (name, options, message) => {
    const failure = await (async () => {
      await using model = await openQaModel(writeToyQa(join(root, name), options))
      await model.answer("What is the host?", passagesOf("Dana Whitfield"), never)
    })().catch((error: unknown) => error)
    expect(failure).toMatchObject({
      code: "MODEL_UNAVAILABLE",
      retryable: false,
      message: expect.stringMatching(message)
    })
  })

  it.each(["tokenizer", "model"])("refuses a broken %s as MODEL_UNAVAILABLE", async (key) => {
    const model = writeToyQa(join(root, `broken-${key}`))
    writeFileSync(model.files[key]!, "{")
    await expect(openQaModel(model)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE", retryable: false })
  })
})

const printable = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173)

/** GPT-2's table of printable characters for bytes, and a tokeniser of RoBERTa's layout with a few merges over it. */
const byteLevel = () => {
  let next = 256
  const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable(byte) ? byte : next++))
  const merges = [["t", "h"], ["th", "e"], ["\u0120", "the"], ["i", "s"], ["\u0120", "is"], ["n", "'"]] as const
  const special = ["<s>", "<pad>", "</s>", "<unk>"]
  const vocabulary = [...special, ...bytes, ...merges.map((pair) => pair.join(""))]
  return new Tokenizer(
    {
      version: "1.0",
      added_tokens: special.map((content, id) => ({
        id,
        content,
        special: true,
        normalized: false,
        single_word: false,
        lstrip: false,
        rstrip: false
      })),
      normalizer: null,
      pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true },
      post_processor: {
        type: "RobertaProcessing",
        sep: ["</s>", 2],
        cls: ["<s>", 0],
        trim_offsets: true,
        add_prefix_space: false
      },
      decoder: { type: "ByteLevel", add_prefix_space: true, trim_offsets: true, use_regex: true },
      model: {
        type: "BPE",
        dropout: null,
        unk_token: null,
        continuing_subword_prefix: "",
        end_of_word_suffix: "",
        fuse_unk: false,
        vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
        merges: merges.map((pair) => pair.join(" "))
      }
    },
    { tokenizer_class: "RobertaTokenizer" }
  )
}

describe.each(
  [["WordPiece", new Tokenizer(...toyTokenizer), [2, 3, 3]], ["byte-level BPE", byteLevel(), [0, 2, 2, 2]]] as const
)(
  "tokensBy with %s",
  (_, tokenizer, special) => {
    const tokens = tokensBy(tokenizer)
    const word = fc.oneof(
      fc.constantFrom(...toyWords),
      fc.constantFrom("Dana's", "don't", "x-ray", "(nine)", "tides,currents", "“is”", "naïve", "the"),
      fc.string()
    )
    const line = fc.array(word, { minLength: 1, maxLength: 12 })
      .map((words) => words.join(" ").replaceAll(/\s+/gu, " ").trim())
      .filter((text) => text !== "")

    it("knows what stands around a question and its text", () => {
      const { after, before, between } = tokens.layout
      expect([...before, ...between, ...after]).toEqual(special)
    })

    it("gives the tokens of the whole text, piece by piece", () => {
      fc.assert(fc.property(line, (text) => {
        const [passage] = passagesOf(text)
        if (passage === undefined) return
        const pieces = tokens.piecesOf(passage)
        const whole = tokenizer.encode(` ${passage.text}`, { add_special_tokens: false }).ids
        expect(pieces.flatMap(({ ids }) => ids)).toEqual(whole)
      }))
    })

    it("divides into stretches that fit, in order, with nothing lost", () => {
      fc.assert(
        fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), fc.integer({ min: 8, max: 40 }), (texts, room) => {
          const pieces = passagesOf(...texts).map(tokens.piecesOf)
          const out = stretches(pieces, room)
          for (const stretch of out) {
            expect(stretch.reduce((sum, { ids }) => sum + ids.length, 0)).toBeLessThanOrEqual(room)
          }
          const wanted = pieces.flat().filter(({ ids }) => ids.length > 0 && ids.length <= room)
          expect(new Set(out.flat())).toEqual(new Set(wanted))
        })
      )
    })
  }
)
