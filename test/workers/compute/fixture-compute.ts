import { serve } from "../../../workers/compute/serve.ts"

const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

serve({
  double: (input: { readonly samples: Float32Array }) =>
    Promise.resolve({ samples: input.samples.map((x) => x * 2), pid: process.pid }),
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
  obey: (_input: unknown, signal: AbortSignal) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted")))),
  /** A native call: deaf to messages while it runs. */
  block: ({ ms = 60_000 }: { readonly ms?: number }) => {
    block(ms)
    return Promise.resolve({})
  },
  /** Answers when the process is asked by `release`, or never. */
  neighbour: (input: { readonly file: string }) =>
    import("node:fs").then(({ existsSync, writeFileSync }) => {
      if (existsSync(input.file)) return { second_time: true, pid: process.pid }
      writeFileSync(input.file, "")
      return new Promise<never>(() => {})
    })
})
