/**
 * JSON text of an object some of whose members are handed on as somebody else wrote them (`written`, JSON text by name):
 * parsing and writing them again would reorder members such as `"2"` and `"1"` and spell 1.0 as 1.
 */
export const rawJson = (members: object, written: Readonly<Record<string, string>>): string => {
  const texts = Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${written[name] ?? JSON.stringify(value)}`)
  return `{${texts.join(",")}}`
}
