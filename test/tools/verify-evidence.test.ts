import assert from "node:assert"
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, it } from "vitest"
import { readArtifacts } from "../../tools/verify-evidence/Artifacts.ts"
import { numbersSaid } from "../../tools/verify-evidence/Numerals.ts"
import { type Report, verifyArtifacts } from "../../tools/verify-evidence/Verification.ts"
import { type GoodArtifacts, goodArtifacts, writeFolder } from "./verify-evidence/goodFolder.ts"

const program = fileURLToPath(new URL("../../tools/verify-evidence.ts", import.meta.url))

const run = (...args: ReadonlyArray<string>) => spawnSync(process.execPath, [program, ...args], { encoding: "utf8" })

const verify = (
  change: (artifacts: GoodArtifacts) => void = () => {},
  touch: (folder: string) => void = () => {}
): Report => {
  const artifacts = goodArtifacts()
  change(artifacts)
  const folder = writeFolder(artifacts)
  touch(folder)
  const report = verifyArtifacts(readArtifacts(folder))
  rmSync(folder, { recursive: true })
  return report
}

const spanAt = (artifacts: GoodArtifacts, pointer: string): any =>
  artifacts.evidence.spans.find((span) => span.pointer === pointer)

/** Puts another value into result, job and span, so that only its derivation from the quote can be wrong. */
const claim = (pointer: string, value: unknown) => (artifacts: GoodArtifacts) => {
  spanAt(artifacts, pointer).value = value
  ;(artifacts.result as any)[pointer.slice(1)] = value
}

const tamperings: ReadonlyArray<readonly [string, string, RegExp, (artifacts: GoodArtifacts) => void]> = [
  [
    "a string the quote does not hold",
    "/title",
    /does not follow/u,
    claim("/title", "Stochastic descent in one dimension")
  ],
  ["another number than the quoted one", "/rate", /does not follow/u, claim("/rate", 0.52)],
  ["a part of the quoted number", "/price", /does not follow/u, claim("/price", 12)],
  ["another currency", "/currency", /does not follow/u, claim("/currency", "USD")],
  ["another day", "/day", /does not follow/u, claim("/day", "2026-03-13")],
  ["another name than the quoted one", "/lecturer", /does not follow/u, claim("/lecturer", "Eva Lund")],
  [
    "a sentence too far from the quoted one",
    "/claim",
    /does not follow/u,
    claim("/claim", "the model never learns a thing")
  ],
  ["another address", "/url", /does not follow/u, claim("/url", "https://example.com/gd")],
  ["a first citation of another place", "/rate", /not the span's own place/u, (artifacts) => {
    spanAt(artifacts, "/rate").citations[0].t_start = 4.5
  }],
  ["a further citation that nobody said", "/rate", /subject: the quote is not in/u, (artifacts) => {
    const { citations } = spanAt(artifacts, "/rate")
    citations.push({ ...citations[0], quote: "the learning rate", role: "subject" })
  }],
  ["a generated text with a number that no citation says", "/claim", /nothing cited says 40/u, (artifacts) => {
    claim("/claim", "The loss falls at each of 40 steps.")(artifacts)
    Object.assign(spanAt(artifacts, "/claim"), { grade: "generated" })
  }],
  ["a generated text with a name that no citation says", "/claim", /nothing cited says Berg/u, (artifacts) => {
    claim("/claim", "According to Berg, the loss falls.")(artifacts)
    Object.assign(spanAt(artifacts, "/claim"), { grade: "generated" })
  }],
  ["a sum of other numbers than it cites", "/price", /computed again/u, (artifacts) => {
    claim("/price", 1201)(artifacts)
    const one = spanAt(artifacts, "/price")
    Object.assign(one, { grade: "computed", formula: "sum(inputs)" })
    one.citations[0].role = "input"
  }],
  ["a constant that the schema does not have", "/room", /does not give/u, (artifacts) => {
    artifacts.evidence.unfilled = artifacts.evidence.unfilled.filter(({ pointer }) => pointer !== "/room")
    const given = { grade: "default", citations: [], verified: false, quote: "", pointer: "/room", value: "" }
    artifacts.evidence.spans.push({ ...spanAt(artifacts, "/rate"), ...given })
  }],
  ["a computed value without a formula", "/speaker", /no formula/u, (artifacts) => {
    delete spanAt(artifacts, "/speaker").formula
  }],
  ["a span called verified that nobody judged", "/rate", /without its checks/u, (artifacts) => {
    Object.assign(spanAt(artifacts, "/rate").checks, { answers: null, judged_by: null })
  }],
  ["a yes or no that a rule claims to derive", "/recorded", /no rule derives it/u, (artifacts) => {
    spanAt(artifacts, "/recorded").checks.derivable = true
  }],
  ["counts of another evidence", "", /the counts are/u, (artifacts) => {
    artifacts.evidence.counts.verified = 3
  }],
  ["a number that is only inferred", "/rate", /does not follow/u, (artifacts) => {
    claim("/rate", 0.5)(artifacts)
    spanAt(artifacts, "/rate").support = "inferred"
  }],
  ["a computed second that is no bound", "/outline/1/t_start", /computed again/u, (artifacts) => {
    artifacts.result.outline[1]!.t_start = 7.5
    spanAt(artifacts, "/outline/1/t_start").value = 7.5
  }],
  ["a place in the list that is not its own", "/outline/1/slide_no", /computed again/u, (artifacts) => {
    artifacts.result.outline[1]!.slide_no = 1
    spanAt(artifacts, "/outline/1/slide_no").value = 1
  }],
  ["another speaker", "/speaker", /computed again/u, claim("/speaker", "S2")],
  ["a value that differs from the result's", "/title", /the result says/u, (artifacts) => {
    artifacts.result.title = "Something else"
  }],
  ["a claim of verbatim where letters differ", "/lecturer", /as verbatim/u, (artifacts) => {
    spanAt(artifacts, "/lecturer").support = "verbatim"
  }],
  ["a quote that nobody said", "/rate", /not in seg#000000/u, (artifacts) => {
    spanAt(artifacts, "/rate").quote = "zero point two five percent"
  }],
  ["a quote cut out of the middle of a word", "/level", /word for word/u, (artifacts) => {
    spanAt(artifacts, "/level").quote = "for begin"
  }],
  ["a quote from another segment", "/rate", /not in seg#000001/u, (artifacts) => {
    spanAt(artifacts, "/rate").source_ref = "seg#000001"
  }],
  ["a segment that does not exist", "/rate", /not in the transcript/u, (artifacts) => {
    spanAt(artifacts, "/rate").source_ref = "seg#000099"
  }],
  ["text that is not on the frame", "/url", /not on frame#000060/u, (artifacts) => {
    artifacts.vision.frames[1]!.text.pop()
  }],
  ["lines in another order", "/title", /not on frame#000000/u, (artifacts) => {
    artifacts.vision.frames[0]!.text.reverse()
  }],
  ["a frame that was not kept", "/url", /was not kept/u, (artifacts) => {
    spanAt(artifacts, "/url").source_ref = "frame#000030"
  }],
  ["a frame that does not exist", "/url", /not in the inventory/u, (artifacts) => {
    spanAt(artifacts, "/url").source_ref = "frame#000099"
  }],
  ["a start half a word early", "/price", /quoted words are at/u, (artifacts) => {
    spanAt(artifacts, "/price").t_start = 9.6
  }],
  ["the whole segment's time for a part of it", "/rate", /quoted words are at/u, (artifacts) => {
    Object.assign(spanAt(artifacts, "/rate"), { t_start: 0.5, t_end: 5.7 })
  }],
  ["an end beyond the frame's time on screen", "/title", /is shown at/u, (artifacts) => {
    spanAt(artifacts, "/title").t_end = 9
  }],
  ["an interval over samples that show something else", "/title", /is shown at 0–3/u, (artifacts) => {
    spanAt(artifacts, "/title").t_end = 6
  }],
  ["an interval over samples of the cluster that look different", "/url", /is shown at 6–6/u, (artifacts) => {
    artifacts.frames.frames[3]!.phash = "ff00ff00ff00ff00"
  }],
  ["the wrong channel", "/rate", /is asr, not captions/u, (artifacts) => {
    spanAt(artifacts, "/rate").origin_channel = "captions"
  }],
  ["a modality that nothing corroborates", "/lecturer", /modality is audio/u, (artifacts) => {
    spanAt(artifacts, "/lecturer").corroborated_by = []
  }],
  ["a corroboration that is not there", "/lecturer", /corroboration: the quote is not on/u, (artifacts) => {
    spanAt(artifacts, "/lecturer").corroborated_by[0].quote = "Ada Bergman"
  }],
  ["an alternative that is not there", "/speaker", /alternative: the quote is not in/u, (artifacts) => {
    spanAt(artifacts, "/speaker").alternatives[0].quote = "Goodbye"
  }],
  ["a link to another second", "/rate", /#t=4.1,5.2 is not 4.1–5.7 s/u, (artifacts) => {
    spanAt(artifacts, "/rate").media_fragment = "#t=4.1,5.2"
  }],
  ["a link of no length", "/rate", /has no length/u, (artifacts) => {
    spanAt(artifacts, "/rate").media_fragment = "#t=5.7,5.7"
  }],
  ["a link in another grammar", "/rate", /is no media fragment/u, (artifacts) => {
    spanAt(artifacts, "/rate").media_fragment = "?start=4.1&end=5.7"
  }],
  [
    "a link to a place in a picture for something heard",
    "/rate",
    /a place in the picture for what is asr/u,
    (artifacts) => {
      spanAt(artifacts, "/rate").media_fragment = "#t=4.1,5.7&xywh=percent:0,0,100,100"
    }
  ],
  ["a link that does not tell where something was read", "/url", /does not tell where/u, (artifacts) => {
    spanAt(artifacts, "/url").media_fragment = "#t=6,20"
  }],
  ["a link to another place in the picture", "/url", /does not stand in/u, (artifacts) => {
    spanAt(artifacts, "/url").media_fragment = "#t=6,20&xywh=percent:10,10,50,10"
  }],
  ["a link that cuts off part of the words", "/title", /does not stand in/u, (artifacts) => {
    spanAt(artifacts, "/title").media_fragment = "#t=0,3&xywh=percent:10,10,50,29"
  }],
  ["a link beyond the picture's edge", "/url", /is not in the picture/u, (artifacts) => {
    spanAt(artifacts, "/url").media_fragment = "#t=6,20&xywh=percent:10,10,91,60"
  }],
  ["a node that the graph lacks", "/lecturer", /not in the graph/u, (artifacts) => {
    spanAt(artifacts, "/lecturer").node_id = "ent_gone"
  }],
  ["a confidence above 1", "/rate", /a confidence of 2/u, (artifacts) => {
    spanAt(artifacts, "/rate").confidence = 2
  }],
  ["a span for a leaf that is not there", "/gone", /no such leaf/u, (artifacts) => {
    spanAt(artifacts, "/rate").pointer = "/gone"
  }],
  ["a leaf without a span", "/rate", /neither cited nor told/u, (artifacts) => {
    artifacts.evidence.spans = artifacts.evidence.spans.filter(({ pointer }) => pointer !== "/rate")
  }],
  ["a placeholder that is not told", "/room", /neither cited nor told/u, (artifacts) => {
    artifacts.evidence.unfilled = artifacts.evidence.unfilled.filter(({ pointer }) => pointer !== "/room")
  }],
  ["two spans for one leaf", "/rate", /more than one span/u, (artifacts) => {
    artifacts.evidence.spans.push(spanAt(artifacts, "/rate"))
  }],
  ["a cited leaf that is told as unfilled", "/rate", /cited and told as unfilled/u, (artifacts) => {
    artifacts.evidence.unfilled.push({ pointer: "/rate", reason: "not_found", candidates: [] })
  }],
  ["a value in an unfilled leaf", "/course", /told as unfilled, yet the result says "Eve"/u, (artifacts) => {
    ;(artifacts.result as any).course = "Eve"
  }],
  ["a value where an empty text fits", "/room", /told as unfilled/u, (artifacts) => {
    artifacts.result.room = "a"
  }],
  ["a classified value that is no label", "/level", /nor a label/u, claim("/level", "novice")],
  ["a text that is called classified", "/title", /nor a label/u, (artifacts) => {
    claim("/title", "Eve Hacker")(artifacts)
    const { checks } = Object.assign(spanAt(artifacts, "/title"), { grade: "classified" })
    checks.derivable = null
  }],
  ["the end of what is quoted for its beginning", "/outline/1/t_start", /by t_end\(quote\)/u, (artifacts) => {
    spanAt(artifacts, "/outline/1/t_start").formula = "t_end(quote)"
  }],
  ["a formula by which nothing is computed", "/speaker", /by guess\(quote\)/u, (artifacts) => {
    spanAt(artifacts, "/speaker").formula = "guess(quote)"
  }],
  ["a picture of another place", "/title", /frm_000060 is not the picture/u, (artifacts) => {
    spanAt(artifacts, "/title").frame_id = "frm_000060"
  }],
  ["a picture of what was heard", "/rate", /frm_000000 is not the picture/u, (artifacts) => {
    spanAt(artifacts, "/rate").frame_id = "frm_000000"
  }],
  ["a node of another source", "/lecturer", /does not hold the quote/u, (artifacts) => {
    spanAt(artifacts, "/lecturer").node_id = "ent_loss"
  }],
  ["a node of other words", "/rate", /does not hold the quote/u, (artifacts) => {
    spanAt(artifacts, "/rate").node_id = "clm_rate"
  }],
  ["a corroboration from the same side", "/lecturer", /from the same side/u, (artifacts) => {
    const one = spanAt(artifacts, "/lecturer")
    one.corroborated_by = one.citations
  }],
  ["a corroboration that says something else", "/lecturer", /does not say the same/u, (artifacts) => {
    const { citations } = spanAt(artifacts, "/url")
    spanAt(artifacts, "/lecturer").corroborated_by = citations
  }],
  ["a part of a number that the quote cuts", "/rate", /does not follow/u, (artifacts) => {
    claim("/rate", 2)(artifacts)
    Object.assign(spanAt(artifacts, "/rate"), { quote: "two", t_start: 4.9, t_end: 5.3, media_fragment: "#t=4.9,5.3" })
  }],
  ["a result outside its schema", "", /does not fit its schema/u, (artifacts) => {
    artifacts.schema.properties.rate.type = "integer"
  }],
  ["a job with another result", "", /another result/u, (artifacts) => {
    artifacts.job.result = { ...artifacts.result, rate: 0.5 }
  }]
]

describe("verify-evidence", () => {
  it("accepts a folder in which every span holds", () => {
    const report = verify()
    assert.deepStrictEqual(report.failures, [])
    assert.strictEqual(report.proven, report.spans)
    assert.deepStrictEqual(report.open, { answers: 17, classified: 2, generated: 0 })
    assert.strictEqual(report.leaves, report.spans + report.unfilled)
  })

  for (const [what, pointer, message, change] of tamperings) {
    it(`refuses ${what}`, () => {
      const { failures } = verify(change)
      assert(
        failures.some((failure) => failure.pointer === pointer && message.test(failure.message)),
        JSON.stringify(failures)
      )
    })
  }

  it("refuses a cited frame whose picture is missing or is no JPEG", () => {
    const gone = verify(() => {}, (folder) => rmSync(join(folder, "frames", "frm_000060.jpg")))
    assert(gone.failures.some(({ message }) => message.includes("frm_000060.jpg is missing")))
    const text = verify(() => {}, (folder) => writeFileSync(join(folder, "frames", "frm_000060.jpg"), "picture"))
    assert(text.failures.some(({ message }) => message.includes("frm_000060.jpg is missing or no JPEG")))
  })

  it("takes a sum, a generated text and a default that hold, and a value that is not called verified", () => {
    const { failures } = verify((artifacts) => {
      const price = spanAt(artifacts, "/price")
      Object.assign(price, { grade: "computed", formula: "sum(inputs)" })
      price.citations[0].role = "input"
      claim("/claim", "You see that the los falls.")(artifacts)
      Object.assign(spanAt(artifacts, "/claim"), { grade: "generated" })
      spanAt(artifacts, "/rate").verified = false
      artifacts.evidence.counts.verified--
    })
    assert.deepStrictEqual(failures, [])
  })

  it("reads numbers in digits, words, scales and pairs", () => {
    const said: ReadonlyArray<readonly [string, number]> = [
      ["twelve point four million users", 12_400_000],
      ["12.4 million", 12_400_000],
      ["1,250 grams", 1250],
      ["nineteen ninety", 1990],
      ["two thousand and twenty six", 2026],
      ["the twenty first", 21],
      ["a hundred and five", 105],
      ["twenty nine ninety nine", 29.99],
      ["3k", 3000],
      ["-4 degrees", -4],
      ["one eighty", 180],
      ["two-oh-five", 205],
      ["eight pounds forty", 8.4],
      ["one dollar and six cents", 1.06],
      ["sixteen pence", 0.16],
      ["eight metres twenty", 8.2],
      ["an hour and a half", 1.5],
      ["three quarters of an hour", 0.75]
    ]
    for (const [text, number] of said) assert(numbersSaid(text).includes(number), `${text}: ${numbersSaid(text)}`)
    assert(!numbersSaid("twenty five").includes(20))
  })

  it("exits with 0 for a good folder, 1 for a bad one and 2 without one", () => {
    const folder = writeFolder(goodArtifacts())
    const good = run(folder)
    assert.strictEqual(good.status, 0, good.stderr)
    assert.match(good.stdout, /17 of 17 spans hold/u)
    const evidence = readFileSync(join(folder, "evidence.json"), "utf8")
    writeFileSync(join(folder, "evidence.json"), evidence.replaceAll("zero point two five", "zero point two six"))
    const bad = run(folder)
    assert.strictEqual(bad.status, 1)
    assert.match(bad.stdout, /FAILED \/rate: the quote is not in seg#000000 word for word/u)
    assert.match(bad.stdout, /16 of 17 spans hold/u)
    rmSync(join(folder, "graph.json"))
    assert.strictEqual(run(folder).status, 2)
    assert.strictEqual(run().status, 2)
    rmSync(folder, { recursive: true })
  })

  it("shares no line with what it verifies", () => {
    const folder = fileURLToPath(new URL("../../tools/verify-evidence/", import.meta.url))
    for (const path of [program, ...readdirSync(folder).map((name) => join(folder, name))]) {
      const imports = readFileSync(path, "utf8").matchAll(/^(?:import|export).* from "([^"]+)"/gmu)
      for (const [, from] of imports) assert.match(from!, /^(?:node:|ajv|\.\.?\/(?:verify-evidence\/)?[A-Z]\w+\.ts$)/u)
    }
  })
})
