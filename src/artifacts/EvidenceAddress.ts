/** The part of a page's address that names one value with its moment, as the application and its reports have it: `/evidence/rooms/0/name`. */
export const evidenceAddress = (pointer: string): string =>
  `/evidence${pointer.split("/").map((token) => encodeURIComponent(token.toWellFormed())).join("/")}`
