import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"

/** One import, as its file writes it. `type`: nothing of it is left when the program runs. */
export interface Arrow {
  readonly from: string
  readonly to: string
  readonly type: boolean
}

/** Sources by their path from the repository's root, with `/`. */
export type Sources = ReadonlyMap<string, string>

/** Reads every TypeScript file under the given folders of `root`. */
export const readSources = (root: string, folders: ReadonlyArray<string>): Sources =>
  new Map(
    folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.tsx?$/u.test(name))
        .map((name) => join(folder, name))
        .toSorted()
        .map((path) => [path, readFileSync(join(root, path), "utf8")] as const)
    )
  )

/** A statement begins its line (dprint sees to it), so neither a comment nor a line of a template is taken for one. */
const STATEMENT = /^(?:import|export)\s+(?:(?<type>type)\s+)?(?:(?<names>[^;"']*?)\s+from\s+)?"(?<to>\.[^"]+)"/gmu
const DYNAMIC = /\bimport\(\s*"(?<to>\.[^"]+)"/gu

/** Whether every name in braces is a type's: `{ type A, type B }`. */
const typesAlone = (names: string | undefined): boolean => {
  const list = /^\{(?<names>[^}]*)\}$/u.exec(names?.trim() ?? "")?.groups?.["names"]?.split(",") ?? []
  const words = list.map((name) => name.trim()).filter((name) => name !== "")
  return words.length > 0 && words.every((name) => name.startsWith("type "))
}

/**
 * The imports between the given files, each once; a file that is imported for a value and for a type counts as imported
 * for a value. What runs as another process or thread is named by an address, not imported, and has no arrow.
 */
export const arrowsOf = (sources: Sources): ReadonlyArray<Arrow> => {
  const arrows = new Map<string, Arrow>()
  for (const [from, text] of sources) {
    const add = (target: string, type: boolean) => {
      const to = normalize(join(dirname(from), target))
      if (!sources.has(to)) return
      const key = `${from} ${to}`
      arrows.set(key, { from, to, type: type && (arrows.get(key)?.type ?? true) })
    }
    for (const { groups } of text.matchAll(STATEMENT)) {
      add(groups!["to"]!, groups!["type"] !== undefined || typesAlone(groups!["names"]))
    }
    for (const { groups } of text.matchAll(DYNAMIC)) add(groups!["to"]!, false)
  }
  return [...arrows.values()]
}

/** The groups of nodes that reach one another (Tarjan's strongly connected components), those of one node left out. */
export const cyclesOf = (
  edges: ReadonlyArray<{ readonly from: string; readonly to: string }>
): ReadonlyArray<ReadonlyArray<string>> => {
  const next = Map.groupBy(edges, ({ from }) => from)
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const open: Array<string> = []
  const cycles: Array<ReadonlyArray<string>> = []
  const visit = (node: string): void => {
    order.set(node, order.size)
    low.set(node, order.get(node)!)
    open.push(node)
    for (const { to } of next.get(node) ?? []) {
      if (!order.has(to)) {
        visit(to)
        low.set(node, Math.min(low.get(node)!, low.get(to)!))
      } else if (open.includes(to)) low.set(node, Math.min(low.get(node)!, order.get(to)!))
    }
    if (low.get(node) !== order.get(node)) return
    const group = open.splice(open.indexOf(node))
    if (group.length > 1) cycles.push(group.toSorted())
  }
  for (const node of next.keys()) if (!order.has(node)) visit(node)
  return cycles
}
