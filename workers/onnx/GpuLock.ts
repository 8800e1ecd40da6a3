import { Effect } from "effect"
import { createServer, type Server } from "node:net"

/** Which GPU of the machine device `device_id` is, as far as this process can tell: frameworks count the visible ones. */
export const gpuName = (device_id: number, env: NodeJS.ProcessEnv = process.env): string => {
  const visible = env.CUDA_VISIBLE_DEVICES ?? env.NVIDIA_VISIBLE_DEVICES ?? ""
  return visible.split(",")[device_id]?.replace(/^(all|none|void)$/u, "") || String(device_id)
}

/**
 * Holds a GPU for this process until the scope closes or the process dies, however it dies; false where another process
 * of the machine (or of the container's network) holds it. ONNX Runtime cannot be told how much of a GPU's memory it may
 * take, so a second process could only take it from the first. Linux only: elsewhere there is nothing to hold it by.
 */
export const holdGpu = (name: string) =>
  process.platform !== "linux" ? Effect.succeed(true) : Effect.acquireRelease(
    // A Unix socket without a file (the leading U+0000): its name is unique and goes with the process.
    Effect.callback<Server | void>((resume) => {
      const server = createServer()
      server.unref()
      server.once("error", () => resume(Effect.void))
      server.listen(`\0footnote-gpu-${name}`, () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server?.close())
  ).pipe(Effect.map((server) => server !== undefined))
