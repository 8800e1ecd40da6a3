/** No room for bytes, files or within a quota: somebody makes some, and the same write works. */
const full = new Set(["ENOSPC", "EDQUOT"])

/** A network file system, or a disk below it, that does not answer now. */
const gone = new Set(["EIO", "ESTALE", "ETIMEDOUT", "EHOSTDOWN", "EROFS", "ENOTCONN", "EMFILE", "ENFILE"])

/** What the system's error says of the disk, whatever was written; undefined where the fault is not the disk's. */
export const diskFault = (error: unknown): "disk" | "store" | undefined => {
  const { cause, code } = (error ?? {}) as { readonly cause?: unknown; readonly code?: unknown }
  if (typeof code !== "string") return cause === undefined ? undefined : diskFault(cause)
  return full.has(code) ? "disk" : gone.has(code) ? "store" : undefined
}
