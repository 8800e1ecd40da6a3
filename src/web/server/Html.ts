import { createHash } from "node:crypto"

/** A text as it may stand between tags and within the quotes of an attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/gu, (character) => `&#${character.charCodeAt(0)};`)

/** What a policy calls a style that stands in the page. */
export const styleSource = (style: string): string => `'sha256-${createHash("sha256").update(style).digest("base64")}'`
