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

/** A process told from a later one of the same pid. */
export interface Known {
  readonly pid: number
  readonly started: string
  readonly kind: Kind
}

export type Kind =
  | "npm"
  | "service"
  | "API"
  | "worker"
  | "model process"
  | "decoder"
  | "PostgreSQL"
  | "session"
  | "guard"
  | "attacker"
  | "other"

const kinds: ReadonlyArray<readonly [Kind, RegExp]> = [
  ["npm", /^npm /u],
  ["service", /src\/cli\/start\.ts/u],
  ["API", /src\/main\.ts/u],
  ["worker", /workers\/main\.ts/u],
  ["model process", /-compute\.ts/u],
  ["attacker", /neighbours\/attacker\.ts/u],
  ["session", /^postgres: /u],
  ["PostgreSQL", /bin\/postgres /u],
  ["guard", /^sh -c while read/u],
  ["decoder", /ffmpeg|ffprobe|bwrap|launcher/u]
]

/** The process as it is now; undefined where there is none, or only what its parent has not asked for yet. */
export const look = (pid: number): Known | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    if (fields[0] === "Z") return undefined
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")
    return { pid, started: fields[19]!, kind: kinds.find(([, words]) => words.test(command))?.[0] ?? "other" }
  } catch {
    return undefined
  }
}

/** Whether it still runs, and not another one under its number. */
export const runs = ({ pid, started }: Known) => look(pid)?.started === started
