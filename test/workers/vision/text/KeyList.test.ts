import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { OnnxModelError } from "../../../../workers/onnx/OnnxSession.ts"
import { keysIn } from "../../../../workers/vision/text/KeyList.ts"
import { openLineReader } from "../../../../workers/vision/text/LineReader.ts"
import { installedTextFiles } from "../../../../workers/vision/text/TextFiles.ts"

/** As PaddleOCR writes it: plain, quoted and escaped characters, other settings around them. */
const inference = `Global:
  model_name: PP-OCRv6_small_rec
PreProcess:
  transform_ops:
  - DecodeImage:
      channel_first: false
PostProcess:
  name: CTCLabelDecode
  character_dict:
  - '!'
  - '"'
  - ''''
  - '#'
  - a
  - '1'
  - \\
  - 一
  - \u3000
  - "\\xA0"
  - "\\u2028"
  - "\\U0001F600"
  - é
Extra: 1
`

describe("the characters of a recogniser", () => {
  let folder = ""
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "footnote-keys-"))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const written = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }

  it("are read from an inference.yml as YAML has them", () => {
    expect(keysIn(written("inference.yml", inference))).toEqual(
      ["!", "\"", "'", "#", "a", "1", "\\", "一", "\u3000", "\xa0", "\u2028", "😀", "é"]
    )
    expect(keysIn(written("windows.yml", inference.replaceAll("\n", "\r\n")))).toHaveLength(13)
  })

  it("are read from a list with one on each line", () => {
    expect(keysIn(written("keys.txt", "a\r\nb\n#\n"))).toEqual(["a", "b", "#"])
    expect(keysIn(installedTextFiles().keys)).toHaveLength(6623)
  })

  it("are refused in words where a file lists none", () => {
    expect(() => keysIn(written("other.yml", "Global:\n  name: x\n"))).toThrow(OnnxModelError)
  })

  it("are refused where the network tells another number of them apart", async () => {
    const reader = await openLineReader({ ...installedTextFiles(), keys: written("few.txt", "a\nb\n") })
    const line = { width: 96, height: 48, rgb: new Uint8Array(96 * 48 * 3).fill(255) }
    await expect(reader.read([line])).rejects.toThrow(/tells 6625 characters apart, and .*few\.txt lists 2/u)
    await reader.dispose()
  })
})
