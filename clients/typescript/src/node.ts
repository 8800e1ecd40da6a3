import { open } from "node:fs/promises"
import { basename } from "node:path"
import type { UploadSource } from "./upload-source.ts"

/** A file of this machine as `client.uploads.create` takes it, read piece by piece. It is closed when the upload ends. */
export const fromPath = async (path: string): Promise<UploadSource> => {
  const file = await open(path)
  const { size } = await file.stat()
  return {
    size,
    name: basename(path),
    read: async (start, end) => {
      const bytes = new Uint8Array(end - start)
      const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
      if (bytesRead < bytes.length) throw new RangeError(`${path} is shorter than it was: ${start + bytesRead} bytes`)
      return bytes
    },
    close: () => file.close()
  }
}
