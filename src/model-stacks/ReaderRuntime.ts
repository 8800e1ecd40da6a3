import { existsSync } from "node:fs"
import { packagePath } from "./StoredFile.ts"

/**
 * The runtime of local language models. It is no dependency: its binaries for GPUs are 344 MB packed, and `npm ci` would bring
 * them to everybody.
 */
export const READER_PACKAGE = "node-llama-cpp"
export const READER_VERSION = "3.22.1"

/** What to run where a stack's reader is wanted and its runtime is not here. */
export const READER_INSTALL = `npm install --no-save ${READER_PACKAGE}@${READER_VERSION}`

export const isReaderInstalled = (): boolean => existsSync(packagePath(READER_PACKAGE, "package.json"))
