import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import sharp from "sharp"
import { describe, expect, it } from "vitest"

const program = fileURLToPath(new URL("../../tools/draw-result.ts", import.meta.url))

interface Said {
  readonly value: unknown
  readonly quote: string
}

/** The picture of a result with one such value, from a folder that tells so of its source. */
const drawn = async (said: ReadonlyArray<Said>, source: object | null = { duration_seconds: 10 }): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "draw-result-"))
  const moment = { source_ref: "seg#000001", t_start: 0, t_end: 1, corroborated_by: [] }
  const spans = said.map(({ quote, value }) => ({
    pointer: "/a",
    origin: "extracted",
    origin_channel: "asr",
    modality: "audio",
    ...moment,
    quote,
    value
  }))
  for (const [name, content] of Object.entries({ evidence: { spans }, frames: { frames: [] }, job: { source } })) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(content))
  }
  const file = join(folder, "result.svg")
  execFileSync(process.execPath, [program, folder, file], { stdio: "pipe" })
  const svg = readFileSync(file, "utf8")
  rmSync(folder, { recursive: true })
  // Fails for what is no XML.
  expect((await sharp(Buffer.from(svg)).metadata()).format).toBe("svg")
  return svg
}

describe("the picture of a result", () => {
  it("is one, whatever was said, and says it as text", async () => {
    const svg = await drawn([
      { value: "a\u0001b\u001b[2J\uFFFE", quote: "\b</text><script>1</script>&amp;" },
      { value: "שלום\u202E", quote: "\u2067 a" }
    ])
    expect(svg).not.toContain("<script")
    expect(svg).toContain("&lt;/text&gt;&lt;script&gt;1&lt;/script&gt;&amp;amp;")
  })

  it("cuts no character in half", async () => {
    expect(await drawn([{ value: `${"a".repeat(34)}😀😀`, quote: "q" }])).not.toContain("\uFFFD")
  })

  it("is one of nothing, of a source without a length, and of one that nothing is known of", async () => {
    await drawn([])
    for (const source of [{ duration_seconds: 0 }, null]) {
      expect(await drawn([{ value: 1, quote: "one" }], source)).not.toContain("NaN")
    }
  })
})
