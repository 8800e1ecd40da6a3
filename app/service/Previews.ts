import type { Preview } from "../../clients/typescript/src/generated/types.ts"
import { at, call, get, Refused } from "./Service.ts"

const second = (signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, 1000)
    signal.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true })
  })

/**
 * Where a rendition is played that every browser can play, once the service has made it; tells how far it is. Throws `Refused` where
 * it cannot be made, and the signal's reason.
 */
export const previewOf = async (
  job_path: string,
  tell: (fraction: number) => void,
  signal: AbortSignal
): Promise<string> => {
  let preview = await call<Preview>("POST", `${job_path}/preview`)
  while (preview.status !== "ready") {
    if (preview.status === "failed") {
      throw new Refused(422, { code: "RENDITION_FAILED", message: preview.message ?? "No preview can be made." })
    }
    tell(preview.fraction)
    await second(signal)
    preview = await get<Preview>(`${job_path}/preview`)
  }
  return at(`${job_path}/preview/media`)
}
