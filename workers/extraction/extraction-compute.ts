import { readFile } from "node:fs/promises"
import type { Frames } from "../../src/artifacts/Frames.ts"
import type { Transcript } from "../../src/artifacts/Transcript.ts"
import type { FrameDescription, Vision } from "../../src/artifacts/Vision.ts"
import { serve } from "../compute/serve.ts"
import { extract } from "./Extract.ts"
import type { ExtractCall } from "./ExtractionCalls.ts"

const readJson = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, "utf8"))

const noFrames: Frames = { visual_branch: "absent", sampled: 0, kept: 0, frames: [] }

serve({
  extract: async (input: ExtractCall["input"]): Promise<ExtractCall["output"]> => {
    const transcript = await readJson<Transcript>(input.transcript)
    const frames = input.inventory === null ? noFrames : await readJson<Frames>(input.inventory)
    const parts = await Promise.all(input.descriptions.map((path) => readJson<ReadonlyArray<FrameDescription>>(path)))
    const present = frames.visual_branch === "present"
    const vision: Vision = {
      visual_branch: frames.visual_branch,
      frames: present ? parts.flat().toSorted((a, b) => a.timestamp - b.timestamp) : [],
      model: present ? input.vision_model : null
    }
    return { ...extract({ ...input, transcript, frames, vision }), frames, vision }
  }
})
