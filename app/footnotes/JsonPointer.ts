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
