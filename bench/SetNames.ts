import { basename, relative, resolve } from "node:path"

/** A name for each different folder, its own where no other has it, and else its path from here: no two are the same. */
export const folderNames = (folders: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const different = new Map(folders.map((folder) => [resolve(folder), folder]))
  const bare = Array.from(different.keys(), (path) => basename(path))
  return new Map(Array.from(different, ([path, folder]) => {
    const name = basename(path)
    return [folder, bare.filter((other) => other === name).length > 1 ? relative(".", path) || name : name]
  }))
}

/** A name that none of the taken ones is: the one wished for, or that with a number. */
export const freeName = (wished: string, taken: Readonly<Record<string, unknown>>): string => {
  let name = wished
  for (let number = 2; Object.hasOwn(taken, name); number++) name = `${wished} (${number})`
  return name
}
