import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Browser, Page } from "playwright-core"
import { reportHtml } from "../../src/results/report/ReportHtml.ts"
import { faultsOf, launch, noChromium } from "../support/Chromium.ts"

const pixel = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

const spanOf = (pointer: string, value: string, at: number, quote: string) => {
  const cited = { source_ref: `seg#${String(at + 1).padStart(6, "0")}`, t_start: at, t_end: at + 1, quote }
  return {
    pointer,
    value,
    origin: "extracted",
    origin_channel: "asr",
    modality: "audio",
    ...cited,
    media_fragment: `#t=${at},${at + 1}`,
    node_id: null,
    support: "verbatim",
    confidence: 0.9,
    verified: true,
    corroborated_by: [],
    alternatives: [{ ...cited, value, media_fragment: "" }],
    grade: "stated",
    citations: [{ ...cited, role: "value", origin_channel: "asr", media_fragment: `#t=${at},${at + 1}` }],
    checks: { quoted: true, derivable: true, answers: 0.9, judged_by: "rules" },
    proposed_by: value,
    formula: value
  }
}

/** A result of this many leaves, segments of ten words and frames, whose every text is `say` of a number. */
const dataOf = (leaves: number, segments: number, frames: number, say: (index: number) => string) => ({
  job: {
    id: say(0),
    title: say(0),
    source_uri: say(0),
    created_at: say(0),
    model_stack: say(0),
    source: null,
    result_confidence: 0.5,
    warnings: [{ code: say(0), message: say(0) }],
    provenance: { models: [{ name: say(0), role: say(0), execution_provider: say(0) }] }
  },
  result: { items: Array.from({ length: leaves }, (_, at) => say(at)) },
  json_schema: {
    properties: { items: { title: say(0), description: say(0), items: { title: say(0), description: say(0) } } }
  },
  evidence: {
    spans: Array.from(
      { length: leaves },
      (_, at) => spanOf(`/items/${at}`, say(at), at % segments, say(at % segments))
    ),
    unfilled: [{
      pointer: `/${say(1)}`,
      reason: say(0),
      candidates: [{
        value: say(0),
        confidence: 0.1,
        quote: say(0),
        source_ref: "seg#000001",
        t_start: 0,
        t_end: 1,
        refused_because: say(0)
      }]
    }],
    counts: { leaves: leaves + 1, filled: leaves, verified: leaves, unfilled: 1 }
  },
  transcript: {
    language: "en",
    duration_seconds: segments,
    text: "",
    speakers: [{ id: "S1", label: say(0), speaking_seconds: 1 }],
    segments: Array.from({ length: segments }, (_, at) => ({
      id: `seg#${String(at + 1).padStart(6, "0")}`,
      origin: "asr",
      t_start: at,
      t_end: at + 1,
      speaker: "S1",
      text: say(at),
      confidence: 0.9,
      words: Array.from({ length: 10 }, (_, word) => ({
        t_start: at + word / 10,
        t_end: at + (word + 1) / 10,
        text: say(at),
        confidence: 0.9
      }))
    })),
    turns: [{ speaker: "S1", t_start: 0, t_end: segments }],
    audio_branch: "present",
    model: null
  },
  frames: Array.from({ length: frames }, (_, at) => ({
    id: `frm_${at}`,
    source_ref: `frame#${at}`,
    timestamp: (at * segments) / frames,
    width: 16,
    height: 9
  })),
  vision: Array.from({ length: frames }, (_, at) => ({
    frame_id: `frm_${at}`,
    source_ref: `frame#${at}`,
    timestamp: at,
    description: say(at),
    text: [{ text: say(at), box: [0, 0, 1, 1], confidence: 1 }],
    labels: []
  })),
  graph: {
    nodes: [0, 1].map((at) => ({
      id: `n${at}`,
      kind: "entity",
      label: say(at),
      type: say(0),
      t_start: 0,
      t_end: 1,
      modality: "audio",
      source_refs: [],
      mentions: 1
    })),
    edges: [{ id: "e", source: "n0", target: "n1", relation: say(0), t_start: 0, t_end: 1, source_refs: [] }]
  },
  manifest: null,
  signing_keys: null,
  media: "media.mp4",
  frame_address: "{id}",
  images: Object.fromEntries(Array.from({ length: frames }, (_, at) => [`frm_${at}`, pixel]))
})

const markup = [
  `<img src=x onerror="alert(1)">`,
  `</script><script>alert(1)</script>`,
  `<!--<script>alert(1)`,
  `javascript:alert(1)`,
  `"><svg onload=alert(1)>`,
  `\u2028{{constructor.constructor("alert(1)")()}}`
]

let browser: Browser
const folder = mkdtempSync(join(tmpdir(), "footnote-report-"))

const opened = async (data: unknown) => {
  const context = await browser.newContext({ offline: true })
  const faults = await faultsOf(context)
  const page = await context.newPage()
  const file = join(folder, "report.html")
  writeFileSync(file, reportHtml(data))
  await page.goto(pathToFileURL(file).href)
  await page.locator(".leaf-button").first().waitFor()
  return { page, faults, close: () => context.close() }
}

/** What a large page costs: printed, as it tells more of the machine than of the page, but for its memory. */
const figuresOf = async (page: Page) => {
  const painted = await page.evaluate<number>(
    `Math.round(performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1)`
  )
  const worst = await page.evaluate<number>(`new Promise((resolve) => {
    const box = document.querySelector(".values")
    let [frames, last, worst] = [0, performance.now(), 0]
    const turn = (now) => {
      if (frames > 1) worst = Math.max(worst, now - last)
      last = now
      box.scrollTop += 600
      if (++frames < 60) requestAnimationFrame(turn)
      else resolve(Math.round(worst))
    }
    requestAnimationFrame(turn)
  })`)
  const protocol = await page.context().newCDPSession(page)
  await protocol.send("HeapProfiler.collectGarbage")
  const { usedSize } = await protocol.send("Runtime.getHeapUsage")
  return { painted, worst, heap: Math.round(usedSize / 1e6) }
}

describe.skipIf(noChromium !== undefined)("report.html", () => {
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it("shows markup in a transcript, on a frame, in a schema and in a name as text, wherever it stands", async () => {
    const { close, faults, page } = await opened(dataOf(6, 6, 6, (at) => markup[at % markup.length]!))
    assert.strictEqual(await page.locator("h1").innerText(), markup[0])
    for (const leaf of await page.locator(".leaf-button").all()) {
      await leaf.click()
      await page.locator(".footnote").waitFor()
    }
    for (const tab of await page.getByRole("tab").all()) await tab.click()
    await page.getByRole("button", { name: "1 warning" }).click()
    assert.include(await page.locator(".warnings").innerText(), markup[0]!)
    await page.getByRole("tab", { name: "Transcript" }).click()
    await page.locator(".word").first().click()
    assert.include(await page.locator(".supports p").innerText(), markup[0]!)
    // The picture of the markup, had it become one, would be asked for from the disk.
    assert.strictEqual(await page.locator("img[src=x], svg[onload], script:not([id]):not([type=module])").count(), 0)
    assert.deepStrictEqual(faults.filter((fault) => !fault.includes("media.mp4") && !fault.includes("ERR_")), [])
    await close()
  })

  it("of 2,000 leaves, 20,000 words and 3,000 frames has only what is in view, in under 300 MB, and finds the last of each", async () => {
    const { close, page } = await opened(dataOf(2000, 2000, 3000, (at) => `word${at}`))
    const { heap, painted, worst } = await figuresOf(page)
    process.stderr.write(
      `Two hours: first paint ${painted} ms after the page began, ${heap} MB of heap, the longest frame while scrolling ${worst} ms.\n`
    )
    assert.isBelow(heap, 300)
    const nodes = () => page.evaluate<number>("document.querySelectorAll('*').length")
    assert.isBelow(await nodes(), 3000)
    await page.evaluate(`location.hash = "#/evidence/items/1999"`)
    await page.locator(`[data-pointer="/items/1999"][aria-expanded=true]`).waitFor()
    await page.locator(".word.cited", { hasText: "word1999" }).first().waitFor()
    await page.getByRole("tab", { name: "Frames" }).click()
    await page.locator(".frame").first().waitFor()
    await page.evaluate(`{ const box = document.querySelector(".frames"); box.scrollTo(0, box.scrollHeight) }`)
    await page.locator(".frame", { hasText: "word2999" }).waitFor()
    assert.isBelow(await nodes(), 3000)
    await close()
  })
})
