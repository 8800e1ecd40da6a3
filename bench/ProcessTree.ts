import { readFileSync } from "node:fs"

const childrenOf = (pid: number): ReadonlyArray<number> => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter((word) => word !== "").map(
      Number
    )
  } catch {
    return []
  }
}

/** All processes below `pid` as they are now, its own children first (Linux; none elsewhere). */
export const descendantsOf = (pid: number): ReadonlyArray<number> => {
  const children = childrenOf(pid)
  return [...children, ...children.flatMap(descendantsOf)]
}
