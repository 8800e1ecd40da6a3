import { escapeHtml, headingsOf, inlineHtml, markdownHtml } from "./Markdown.ts"
import { type Operation, operationHtml, operationsOf } from "./OperationHtml.ts"
import { type Node, schemaAnchor, schemaHtml } from "./SchemaHtml.ts"

/** Where the page's own files are, beside the page. */
export interface DocsFiles {
  readonly style: string
  readonly script: string
}

const tagAnchor = (name: string) => `tag-${name.toLowerCase().replaceAll(/[^a-z]+/gu, "-")}`

const entry = ({ id, method, summary }: Operation) =>
  `<li><a href="#${escapeHtml(id)}">${escapeHtml(summary)} <span class="method">${method}</span></a></li>`

const contents = (guide: string, tags: ReadonlyArray<Node>, operations: ReadonlyArray<Operation>) =>
  `<nav aria-label="Contents"><details open><summary>Contents</summary>
<input type="search" id="filter" placeholder="Find an operation" aria-label="Find an operation" autocomplete="off">
<ul>${headingsOf(guide).map(({ id, title }) => `<li><a href="#${id}">${inlineHtml(title)}</a></li>`).join("")}</ul>
${
    tags.map(({ name }) =>
      `<p><a href="#${tagAnchor(name)}">${escapeHtml(name)}</a></p><ul class="operations">${
        operations.filter(({ tag }) => tag === name).map(entry).join("")
      }</ul>`
    ).join("\n")
  }
<p><a href="#objects">Objects</a></p>
</details></nav>`

const objects = (schemas: Node) =>
  Object.entries<Node>(schemas)
    // Every error has the one envelope, and its code stands with the operation.
    .filter(([name]) => !name.startsWith("Error_"))
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, schema]) =>
      `<section class="object" id="${schemaAnchor(name)}"><h3>${escapeHtml(name)}</h3>${
        markdownHtml(schema["description"] ?? "")
      }${schemaHtml(schema)}</section>`
    ).join("\n")

/** The whole description of the API as one page, guide first, that needs nothing but the two files beside it. */
export const docsHtml = (document: Node, base_url: string, { script, style }: DocsFiles): string => {
  const operations = operationsOf(document)
  const { description, title } = document["info"]
  const tags: ReadonlyArray<Node> = document["tags"]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} API</title>
<link rel="icon" href="favicon.ico" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
<script src="${script}" defer></script>
</head>
<body>
<header>
<a class="brand" href="#top">${escapeHtml(title)} API</a>
<form id="key"><label><span>API key</span> <input type="password" placeholder="fnk_…" autocomplete="off" autocapitalize="off" spellcheck="false"></label>
<small>for “Try”; kept in this tab alone</small></form>
<a href="openapi.json">openapi.json</a>
</header>
<div class="columns" id="top">
${contents(description, tags, operations)}
<main>
<h1>${escapeHtml(title)} API</h1>
${markdownHtml(description)}
${
    tags.map(({ description, name }) =>
      `<h2 id="${tagAnchor(name)}">${escapeHtml(name)}</h2>\n<p>${inlineHtml(description ?? "")}</p>\n${
        operations.filter(({ tag }) => tag === name).map((operation) => operationHtml(document, base_url, operation))
          .join("\n")
      }`
    ).join("\n")
  }
<h2 id="objects">Objects</h2>
${objects(document["components"].schemas)}
</main>
</div>
</body>
</html>
`
}
