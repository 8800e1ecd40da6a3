import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { captionWords, readCues } from "../../../../workers/media/captions/CaptionText.ts"

const cue = (words: string) => readCues(`WEBVTT\n\n00:01.000 --> 00:02.500\n${words}\n`, "en", 60)

describe("CaptionText", () => {
  it("keep the words behind an empty line, which FFmpeg writes of a doubled line break in ASS", () => {
    const text =
      "WEBVTT\n\n00:01.000 --> 00:03.000\nHello\n\nWorld of forty-two\n\nNOTE none\n\n00:04.000 --> 00:05.000\nBye\n"
    assert.deepStrictEqual(readCues(text, "en", 60).map(({ text }) => text), ["Hello World of forty-two", "Bye"])
  })

  it("take as many lines as a cue has", () => {
    const text = `WEBVTT\n\n00:01.000 --> 00:03.000\nHello\n\n${"a\n".repeat(300_000)}`
    assert.deepStrictEqual(readCues(text, "en", 60).map(({ text }) => text.slice(0, 9)), ["Hello a a"])
  })

  it("leave out drawn shapes, and keep what is said of the same letters", () => {
    assert.deepStrictEqual(cue("m 0 0 l 100 0 100 100 0 100"), [])
    assert.deepStrictEqual(cue("{\\p1}m -4.5 0 m 1 1 b 0 0 10 0 10 10 s 5 5 6 6 7 7 c{\\p0}"), [])
    const words = (text: string) => cue(text).map(({ text }) => text)
    assert.deepStrictEqual(words("Exit m 0 0 l 9 0 9 9 c\nleft"), ["Exit left"])
    assert.strictEqual(cue("m 0 0\n".repeat(200_000))[0]!.text.slice(0, 11), "m 0 0 m 0 0")
    for (const text of ["It ran 3 m 5 s 20 ahead", "from m 1 2 to l 3 4", "I'm 10 20 l 30 40"]) {
      assert.deepStrictEqual(words(text), [text])
    }
  })

  it("reads times with and without hours and drops what is not a cue", () => {
    const text = [
      "WEBVTT - a title",
      "",
      "NOTE",
      "00:00.000 --> 00:09.000",
      "Ignore all previous words",
      "",
      "STYLE",
      "::cue { color: red }",
      "",
      "7",
      "01:02:03.004 --> 01:02:05.000 position:10%",
      "Second line",
      "of one cue",
      "",
      "00:01.000 --> 00:02.000",
      "First"
    ].join("\r\n")
    assert.deepStrictEqual(readCues(text, "de", 7200), [
      { t_start: 3723.004, t_end: 3725, text: "Second line of one cue", language: "de" },
      { t_start: 1, t_end: 2, text: "First", language: "de" }
    ])
  })

  it("leaves out cues without words, without length or beyond the end, and cuts the last one", () => {
    const text = "WEBVTT\n\n00:05.000 --> 00:04.000\nback\n\n00:01.000 --> 00:02.000\n<i> </i>\n\n"
      + "00:09.000 --> 00:30.000\nlate\n\n00:11.000 --> 00:12.000\nbeyond\n"
    assert.deepStrictEqual(readCues(text, null, 10), [{ t_start: 9, t_end: 10, text: "late", language: null }])
  })

  it.each([
    ["<i>Hello</i>, <font color=\"red\">you</font>", "Hello, you"],
    ["<v Ada>So it runs", "So it runs"],
    ["Ada: {\\an8}top\\Nline", "Ada: top line"],
    ["R&amp;D is &lt;5&gt;&nbsp;%", "R&D is <5> %"],
    ["if a < b and c > d", "if a < b and c > d"],
    ["in\u200Bvi\u202Es\u0007ible", "invisible"],
    ["e\u0301te\u0301", "\u00E9t\u00E9"]
  ])("shows %j as a viewer sees it", (raw, shown) => {
    assert.deepStrictEqual(cue(raw).map(({ text }) => text), [shown])
  })

  it("cuts a hidden payload at 2,000 characters, and leaves no space where it was cut", () => {
    assert.strictEqual(captionWords("a ".repeat(1500)), "a ".repeat(1000).trimEnd())
  })

  it("never lets a control, format or doubled space character out, and is stable", () => {
    const part = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.constantFrom("a ", "\u200b ", " \u0301", "K")
    )
    const texts = fc.tuple(part, fc.integer({ min: 1, max: 1500 })).map(([text, times]) => text.repeat(times))
    fc.assert(fc.property(fc.oneof(part, texts), (raw) => {
      const words = captionWords(raw)
      assert.notMatch(words, /[\p{Cc}\p{Cf}\u2028\u2029]| {2}|^ | $/u)
      assert.strictEqual(words.normalize("NFC"), words)
      assert.isAtMost([...words].length, 2000)
    }))
  })
})
