import { dirname } from "node:path"
import type { House } from "./House.ts"
import { type Arrow, arrowsOf, cyclesOf, type Sources } from "./Tree.ts"

/** One rule, what breaks it, and what was let pass with a reason. */
export interface Finding {
  readonly rule: string
  readonly broken: ReadonlyArray<string>
  readonly excused: ReadonlyArray<string>
}

const folderOf = (path: string) => dirname(path)

/** A room holds the folders in it; a root (`src`, `workers`) holds its own files alone, so that a new folder needs a place. */
const within = (folder: string, room: string): boolean =>
  folder === room || room.includes("/") && folder.startsWith(`${room}/`)

/** The place of a folder's room in the order: the most particular room that holds it, -1 where none does. */
const placeOf = (house: House, folder: string): number => {
  let [place, length] = [-1, -1]
  house.order.forEach((rooms, at) => {
    for (const room of rooms) if (within(folder, room) && room.length > length) [place, length] = [at, room.length]
  })
  return place
}

const shown = ({ from, to, type }: Arrow): string => `${from} → ${to}${type ? " (type)" : ""}`

/** Imports of a later room, of a room that is kept apart, and folders that have no place. */
const against = (house: House, arrows: ReadonlyArray<Arrow>, sources: Sources): ReadonlyArray<string> => {
  const folders = Array.from(new Set(Array.from(sources.keys(), folderOf))).toSorted()
  const apart = ({ from, to }: Arrow): boolean =>
    house.apart.some((groups) => {
      const side = (path: string) => groups.findIndex((group) => group.some((room) => within(folderOf(path), room)))
      const [here, there] = [side(from), side(to)]
      return here >= 0 && there >= 0 && here !== there
    })
  return [
    ...folders.filter((folder) => placeOf(house, folder) < 0).map((folder) => `${folder} has no place in the order`),
    ...arrows.filter((arrow) =>
      placeOf(house, folderOf(arrow.to)) > placeOf(house, folderOf(arrow.from)) || apart(arrow)
    ).map(shown)
  ]
}

const roomed = (house: House, arrows: ReadonlyArray<Arrow>) =>
  arrows.map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) })).filter(({ from, to }) =>
    from !== to && !house.knots.some(({ folders }) => folders.includes(from) && folders.includes(to))
  )

const linesOf = (text: string) => text.split("\n").length - (text.endsWith("\n") ? 1 : 0)

/** What was counted per file against what the house lets pass there. */
const counted = (
  rule: string,
  counts: ReadonlyMap<string, number>,
  excuses: House["casts"],
  most = 0
): Finding => {
  const excuse = (path: string) => excuses.find((one) => one.path === path)
  const over = [...counts].filter(([, count]) => count > most)
  return {
    rule,
    broken: over.filter(([path, count]) => count > (excuse(path)?.count ?? 0)).map(([path, count]) =>
      `${path}: ${count}`
    ),
    excused: over.filter(([path, count]) => count <= (excuse(path)?.count ?? 0)).map(([path, count]) =>
      `${path}: ${count}, ${excuse(path)!.reason}`
    )
  }
}

/** The code of a file: neither what stands in its comments nor in its strings. */
const codeOf = (text: string): string =>
  text.replaceAll(/^\s*(?:\*|\/\*\*|\/\/).*$/gmu, "").replaceAll(/"(?:[^"\\\n]|\\.)*"/gu, "\"\"")

const perFile = (sources: Sources, count: (code: string) => number): ReadonlyMap<string, number> =>
  new Map(Array.from(sources, ([path, text]) => [path, count(codeOf(text))] as const))

/** The text of a call's arguments: what stands between the brackets that begin at `at`; nothing where none begin there. */
const argumentsAt = (code: string, at: number): string => {
  if (code[at] !== "(") return ""
  let depth = 0
  for (let end = at; end < code.length; end++) {
    if (code[end] === "(") depth++
    else if (code[end] === ")" && --depth === 0) return code.slice(at, end)
  }
  return code.slice(at)
}

/** What JSON may be called before anybody has looked at it. */
const UNREAD = /^(?:unknown|Schema\.Json|Json)$/u

/** `JSON.parse` whose value is declared or cast to be something, or taken apart, without a look at it. */
const believed = (code: string): number =>
  Array.from(code.matchAll(/\bJSON\.parse\b/gu)).filter(({ 0: name, index }) => {
    const given = argumentsAt(code, index + name.length)
    const after = /^\)+\s+as\s+(?<type>[\w.]+|\{)/u.exec(code.slice(index + name.length + given.length))
    const before = /(?::\s*(?<type>[\w.]+|\}|[^\n=]*>)|(?<parts>\}))\s*=\s*$/u.exec(code.slice(0, index))
    const type = after?.groups?.["type"] ?? before?.groups?.["type"]
    return type === undefined ? before?.groups?.["parts"] !== undefined : !UNREAD.test(type)
  }).length

const silences = (code: string): number =>
  Array.from(code.matchAll(/\bignoreCause\b/gu)).filter(({ 0: name, index }) =>
    !/\blog:/u.test(argumentsAt(code, index + name.length))
  ).length

/** `sql<Row>` and a statement: rows of a type that nobody holds them to, as `rowsOf` would. */
const unheld = (code: string): number => code.match(/\b\w+<[^;`]*>`/gu)?.length ?? 0

/** Every rule of the house held against the given sources. */
export const findingsOf = (house: House, sources: Sources): ReadonlyArray<Finding> => {
  const arrows = arrowsOf(sources)
  const folders = Map.groupBy(sources.keys(), folderOf)
  const sizes = new Map(Array.from(folders, ([folder, files]) => [folder, files.length] as const))
  return [
    {
      rule: "cycles of files, types included",
      broken: cyclesOf(arrows).map((group) => group.join(" ↔ ")),
      excused: []
    },
    {
      rule: "cycles of folders, types included",
      broken: cyclesOf(roomed(house, arrows)).map((group) => group.join(" ↔ ")),
      excused: house.knots.map(({ folders: names, reason }) => `${names.join(" ↔ ")}, ${reason}`)
    },
    { rule: "arrows against the order", broken: against(house, arrows, sources), excused: [] },
    counted(`folders with more than ${house.most.files} files`, sizes, house.folders, house.most.files),
    counted(
      `files over ${house.most.lines} lines`,
      new Map(Array.from(sources, ([path, text]) => [path, linesOf(text)] as const)),
      [],
      house.most.lines
    ),
    counted("`as any`", perFile(sources, (code) => code.match(/\bas any\b/gu)?.length ?? 0), house.anys),
    counted(
      "`as unknown as`",
      perFile(sources, (code) => code.match(/\bas unknown as\b/gu)?.length ?? 0),
      house.casts
    ),
    counted("`JSON.parse` into a type", perFile(sources, believed), house.parses),
    counted(
      `rows of ${house.rows.join(", ")} that no schema is held to`,
      new Map([...perFile(sources, unheld)].filter(([path]) => house.rows.some((room) => path.startsWith(`${room}/`)))),
      []
    ),
    counted("`ignoreCause` without a log", perFile(sources, silences), house.silences)
  ]
}

/** The median number of lines of a file. */
export const medianLines = (sources: Sources): number =>
  Array.from(sources.values(), linesOf).toSorted((a, b) => a - b)[Math.floor(sources.size / 2)] ?? 0
