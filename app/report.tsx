import "./style.css"
import { render } from "preact"
import type { Footage, ManifestSubjects, ResultData } from "./footnotes/ResultData.ts"
import { ResultScreen } from "./result/ResultScreen.tsx"
import { addressOf, openAddress } from "./selection/Address.ts"
import { Selection } from "./selection/Selection.ts"

/** What lies in the page itself, beside what the screen shows. */
interface ReportData extends ResultData {
  /** What the job made and signed, where people named its speakers or reviewed it; absent where that is what is shown. */
  readonly signed?: Pick<ResultData, "result" | "evidence" | "transcript">
  /** Beside the page, by its relative address. */
  readonly media: string | null
  /** Of the frames that do not lie in the page, with `{id}` for theirs. */
  readonly frame_address: string
  /** Frames that lie in the page, as data URLs by their ids. */
  readonly images: Readonly<Record<string, string>>
}

const data = JSON.parse(document.querySelector("#footnote-data")!.textContent) as ReportData

const footage: Footage = {
  media_url: data.media,
  absent: "The footage is not beside this page",
  frame_url: (id) => data.images[id] ?? data.frame_address.replace("{id}", id)
}

const jpegBytes = (address: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(address.slice(address.indexOf(",") + 1)), (letter) => letter.codePointAt(0)!)

const signed = data.signed ?? data

const subjects: ManifestSubjects = new Map<string, () => Promise<unknown>>([
  ["result.json", async () => signed.result],
  ["evidence.json", async () => signed.evidence],
  ["transcript.json", async () => signed.transcript],
  ...Object.entries(data.images).map(([id, address]) => [`frames/${id}.jpg`, async () => jpegBytes(address)] as const)
])

const selection = new Selection({
  data,
  footage,
  subjects,
  addressOf: (pointer, citation) => `#${addressOf(pointer, citation)}`
})

document.title = `${data.job.title ?? data.job.source_name ?? "Result"} · Footnote`
openAddress(selection, location.hash.slice(1))
addEventListener("hashchange", () => openAddress(selection, location.hash.slice(1)))
render(<ResultScreen selection={selection} />, document.querySelector("#app")!)
