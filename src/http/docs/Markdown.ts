export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/gu, (char) => `&#${char.charCodeAt(0)};`)

const emphasise = (html: string) => html.replaceAll(/\*\*([^*]+)\*\*/gu, "<strong>$1</strong>")

/** Words with `code` and **weight**; whatever else they hold is shown as it is, links of Markdown too: the page leads nowhere else. */
export const inlineHtml = (text: string): string =>
  text.split(/(`[^`]+`)/gu).map((part) =>
    part.length > 2 && part.startsWith("`") && part.endsWith("`")
      ? `<code>${escapeHtml(part.slice(1, -1))}</code>`
      : emphasise(escapeHtml(part))
  ).join("")

const anchor = (title: string) => title.toLowerCase().replaceAll(/[^a-z0-9]+/gu, "-")

const items = (block: string, mark: RegExp) =>
  block.split("\n").map((line) => `<li>${inlineHtml(line.replace(mark, ""))}</li>`).join("")

const blockHtml = (block: string): string => {
  const heading = /^## (.+)$/u.exec(block)?.[1]
  if (heading !== undefined) return `<h2 id="${anchor(heading)}">${inlineHtml(heading)}</h2>`
  const code = /^```\w*\n([\s\S]*?)\n?```$/u.exec(block)?.[1]
  if (code !== undefined) return `<pre><code>${escapeHtml(code)}</code></pre>`
  if (/^\d+\. /u.test(block)) return `<ol>${items(block, /^\d+\. /u)}</ol>`
  if (block.startsWith("- ")) return `<ul>${items(block, /^- /u)}</ul>`
  return `<p>${inlineHtml(block.replaceAll("\n", " "))}</p>`
}

/** The part of Markdown that this service's own texts use, as HTML: paragraphs, headings of the second order, lists, fenced code. */
export const markdownHtml = (text: string): string =>
  text.trim().split(/\n{2,}(?=(?:[^`]|`(?!``)|```[\s\S]*?```)*$)/u).map(blockHtml).join("\n")

/** The headings of such a text, for a table of contents. */
export const headingsOf = (text: string): ReadonlyArray<{ readonly id: string; readonly title: string }> =>
  [...text.matchAll(/^## (.+)$/gmu)].map(([, title]) => ({ id: anchor(title!), title: title! }))
