import { Effect, FileSystem, Path } from "effect"
import { randomBytes } from "node:crypto"
import { durableFolders, sync } from "../storage/Durable.ts"

/** The 32 bytes that a text is the base64 form of, undefined where it is none. */
export const keyBytes = (text: string): Uint8Array | undefined => {
  const bytes = Buffer.from(text.trim(), "base64")
  return bytes.length === 32 && bytes.toString("base64") === text.trim() ? bytes : undefined
}

/**
 * The text of a key file; where there is none it is made first, of 32 random bytes in base64, readable by its owner only
 * and in one step, so that processes that start together agree on one. It is on stable storage when its text is given: what is
 * sealed under it must not outlive it.
 */
export const keyFile = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.dirname(path.resolve(file))
  yield* (yield* durableFolders(folder)).make(folder)
  const made = `${file}.${randomBytes(8).toString("hex")}`
  yield* fs.writeFileString(made, `${randomBytes(32).toString("base64")}\n`, { flag: "wx", mode: 0o600 })
  // A link, unlike a rename, fails where the file is already there.
  yield* fs.link(made, file).pipe(Effect.ignore, Effect.ensuring(Effect.ignore(fs.remove(made))))
  // Also where another process has made it and may not have come to this.
  yield* sync(file)
  yield* sync(folder)
  return yield* fs.readFileString(file)
})
