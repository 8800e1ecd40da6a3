import { modelBeingOpened, openingModel, runningModel } from "../../../workers/compute/CallSpans.ts"
import { serve } from "../../../workers/compute/serve.ts"
import { fixtureCalls } from "./FixtureCalls.ts"

const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** An answer that its schema does not know. */
const wrong: any = { words: [{ text: 7 }] }

serve(fixtureCalls, {
  double: (input) => Promise.resolve({ samples: input.samples.map((x) => x * 2), pid: process.pid }),
  pid: () => Promise.resolve({ pid: process.pid }),
  given: () => Promise.resolve({ given: process.argv.slice(2) }),
  crash: () => process.exit(3),
  refuse: () =>
    Promise.reject(Object.assign(new Error("No sound in it"), { code: "SOURCE_NOT_MEDIA", retryable: false })),
  lose: () =>
    Promise.reject(
      Object.assign(new Error("The device is gone"), { code: "MODEL_UNAVAILABLE", retryable: true, ends_process: true })
    ),
  stumble: () => Promise.reject(new Error("divided by zero")),
  /** Ends when asked, and says so by leaving a file. */
  obey: (_input, signal) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted")))),
  /** A native call: deaf to messages while it runs. */
  block: ({ ms }) => {
    block(ms)
    return Promise.resolve({})
  },
  /** Answers when the process is asked by `release`, or never. */
  neighbour: (input, _signal, tell) =>
    import("node:fs").then(({ existsSync, writeFileSync }) => {
      tell({ tokens: 1 })
      if (existsSync(input.file)) return { second_time: true, pid: process.pid }
      writeFileSync(input.file, "")
      return new Promise<never>(() => {})
    }),
  lie: () => Promise.resolve(wrong),
  gossip: (_input, _signal, tell) => {
    tell(wrong)
    return Promise.resolve({})
  },
  model: async () => {
    const opened = await openingModel("ocr", async () => modelBeingOpened())({ name: "toy" })
    for (const batch_size of [1, 2, 1]) await runningModel(opened, batch_size, () => Promise.resolve())
    return {}
  }
})
