import type { Json, JsonObject } from "./ResultData.ts"

/** The steps of a JSON pointer (RFC 6901). */
export const stepsOf = (pointer: string): ReadonlyArray<string> =>
  pointer === ""
    ? []
    : pointer.split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))

export const pointerOf = (steps: ReadonlyArray<string>): string =>
  steps.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")

/** `unit_price` as a title: `Unit price`. */
export const titleOf = (name: string): string => {
  const words = name.replaceAll(/[_\s]+/gu, " ").replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2").trim()
  return words === "" ? name : words[0]!.toUpperCase() + words.slice(1)
}

/** What stands at a pointer; undefined where nothing does. */
export const valueAt = (root: Json, pointer: string): Json | undefined => {
  let here: Json | undefined = root
  for (const step of stepsOf(pointer)) {
    if (typeof here !== "object" || here === null) return undefined
    here = Array.isArray(here)
      ? (here as ReadonlyArray<Json>)[Number(step)]
      : Object.hasOwn(here, step)
      ? (here as JsonObject)[step]
      : undefined
  }
  return here
}
