import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"

const built = (name: string) => readFileSync(new URL(`../../../app/built/${name}`, import.meta.url), "utf8")

/** The parts that every report has are read once. */
let parts: { readonly script: string; readonly style: string; readonly policy: string } | undefined

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

const readParts = () => {
  // Neither may end the element that it stands in.
  const script = built("report.js").trim().replaceAll(/<\/(?=script)/giu, String.raw`<\/`).replaceAll(
    "<!--",
    String.raw`<\!--`
  )
  const style = built("report.css").trim()
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    // From a disk every file beside the page has an origin of its own, and `file:` is how to name them.
    "img-src data: 'self' file:",
    "media-src 'self' file:",
    "base-uri 'none'",
    "form-action 'none'"
  ].join("; ")
  return { script, style, policy }
}

/** What a report may load: nothing from the network but what lies beside it. */
export const reportPolicy = (): string => (parts ??= readParts()).policy

/** JSON that may stand in an element: `<` is written as the escape that JSON has for it. */
const embedded = (data: unknown) =>
  JSON.stringify(data).replaceAll("<", String.raw`\u003c`).replaceAll("\u2028", String.raw`\u2028`).replaceAll(
    "\u2029",
    String.raw`\u2029`
  )

/** A page that shows `data` by itself: from a disk, without a service and without the network. */
export const reportHtml = (data: unknown): string => {
  const { policy, script, style } = parts ??= readParts()
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Footnote</title>
<style>${style}</style>
</head>
<body>
<div id="app"><noscript>This page needs JavaScript, all of which is in the page itself.</noscript></div>
<script type="application/json" id="footnote-data">${embedded(data)}</script>
<script type="module">${script}</script>
</body>
</html>
`
}
