import { tolerated } from "../observability/Tolerated.ts"

/** What is done where bytes that no row names any more cannot be removed now: told with their key, and left to the sweep. */
export const droppedBytes = (key: string) =>
  tolerated("Removing the bytes of an upload", "the sweep of stray uploads removes them", { key })
