import { escapeHtml, inlineHtml, markdownHtml } from "./Markdown.ts"
import { fieldHtml, type Node, schemaHtml, typeHtml } from "./SchemaHtml.ts"

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly node: Node
}

export const operationsOf = (document: Node): ReadonlyArray<Operation> =>
  Object.entries<Node>(document["paths"]).flatMap(([path, methods]) =>
    Object.entries<Node>(methods).map(([method, node]) => ({
      id: node["operationId"],
      method: method.toUpperCase(),
      path,
      tag: node["tags"][0],
      summary: node["summary"],
      node
    }))
  )

const resolve = (document: Node, schema: Node): Node => {
  const name: string | undefined = schema["$ref"]?.split("/").at(-1)
  return name === undefined ? schema : document["components"].schemas[name]
}

const exampleOf = (document: Node, schema: Node): string | undefined => {
  const [example] = resolve(document, schema)["examples"] ?? []
  return example === undefined ? undefined : JSON.stringify(example, null, 2)
}

const shown = (type: string) => type.includes("*") ? "application/octet-stream" : type

/** The first form of a body, as all others say the same in another way. */
const bodyOf = ({ node }: Operation) => {
  const [entry] = Object.entries<Node>(node["requestBody"]?.content ?? {})
  return entry === undefined ? undefined : { type: shown(entry[0]), schema: entry[1]["schema"] ?? {} }
}

const parametersOf = ({ node }: Operation): ReadonlyArray<Node> => node["parameters"] ?? []

const curl = (document: Node, base_url: string, operation: Operation): string => {
  const body = bodyOf(operation)
  const json = body?.type.endsWith("json") === true
  return [
    `curl ${operation.method === "GET" ? "" : `-X ${operation.method} `}${base_url}${operation.path}`,
    ...(operation.node["security"].length > 0 ? [`-H "Authorization: Bearer $FOOTNOTE_API_KEY"`] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: ${body.type}'`]),
    ...(body === undefined
      ? []
      : [
        json
          ? `-d '${(exampleOf(document, body.schema) ?? "{}").replaceAll("'", String.raw`'\''`)}'`
          : "--data-binary @FILE"
      ])
  ].join(" \\\n  ")
}

/** As people read it everywhere else: names of headers have no case. */
const headerName = (name: string) => name.replaceAll(/(?:^|-)[a-z]/gu, (letter) => letter.toUpperCase())

const input = (parameter: Node): string => {
  const options: ReadonlyArray<string> | undefined = parameter["schema"]?.enum
  const name = `${parameter["in"]}:${parameter["name"]}`
  const label = parameter["in"] === "header" ? headerName(parameter["name"]) : parameter["name"]
  const attributes = `name="${escapeHtml(name)}"${parameter["required"] === true ? " required" : ""}`
  return `<label><span>${escapeHtml(label)}</span>${
    options === undefined
      ? `<input ${attributes} autocomplete="off" spellcheck="false">`
      : `<select ${attributes}><option value=""></option>${
        options.map((option) => `<option>${escapeHtml(option)}</option>`).join("")
      }</select>`
  }</label>`
}

const tryHtml = (document: Node, operation: Operation): string => {
  const body = bodyOf(operation)
  const sends = body === undefined
    ? ""
    : body.type.endsWith("json")
    ? `<label><span>Body</span><textarea name="body" rows="10" spellcheck="false">${
      escapeHtml(exampleOf(document, body.schema) ?? "{}")
    }</textarea></label>`
    : `<label><span>File</span><input name="file" type="file"></label>`
  return `<details class="try"><summary>Try</summary>
<form data-method="${operation.method}" data-path="${escapeHtml(operation.path)}"${
    body === undefined ? "" : ` data-type="${escapeHtml(body.type)}"`
  }${operation.node["security"].length > 0 ? " data-key" : ""}>
${parametersOf(operation).map(input).join("\n")}
${sends}
<p class="deeds"><button>Send</button> <button type="button" class="stop" hidden>Stop</button></p>
<div class="answer" aria-live="polite"></div>
</form></details>`
}

const answerHtml = (document: Node, [status, response]: readonly [string, Node]): string => {
  const content = Object.entries<Node>(response["content"] ?? {})
  const ok = status.startsWith("2")
  const kinds = content.map(([type, { schema }]) =>
    `${schema === undefined ? "" : typeHtml(schema)} <code>${escapeHtml(type)}</code>`
  )
  const example = ok && content.length > 0 ? exampleOf(document, content[0]![1]["schema"] ?? {}) : undefined
  const says = String(response["description"]).split(" | ").map((text) => `<div>${inlineHtml(text)}</div>`).join("")
  return `<li><code class="status">${escapeHtml(status)}</code> <div>${ok ? kinds.join(", ") || says : says}${
    example === undefined
      ? ""
      : `<details><summary>Example</summary><pre tabindex="0"><code>${escapeHtml(example)}</code></pre></details>`
  }</div></li>`
}

const places: ReadonlyArray<readonly [string, string]> = [["path", "Path"], ["query", "Query"], ["header", "Headers"]]

/** An operation: what it does, what it takes and answers, how curl asks it, and a form that asks it from here. */
export const operationHtml = (document: Node, base_url: string, operation: Operation): string => {
  const body = bodyOf(operation)
  const parameters = places.map(([place, title]) => {
    const fields = parametersOf(operation).filter((parameter) => parameter["in"] === place)
    return fields.length === 0 ? "" : `<h4>${title}</h4><ul class="fields">${
      fields.map((field) =>
        fieldHtml(
          place === "header" ? headerName(field["name"]) : field["name"],
          field["schema"] ?? {},
          field["required"] === true,
          field["description"]
        )
      ).join("")
    }</ul>`
  })
  return `<section class="operation" id="${escapeHtml(operation.id)}">
<h3>${escapeHtml(operation.summary)}</h3>
<p class="route"><span class="method">${operation.method}</span> <code>${escapeHtml(operation.path)}</code></p>
${markdownHtml(operation.node["description"] ?? "")}
${parameters.join("")}
${
    body === undefined
      ? ""
      : `<h4>Body <code>${escapeHtml(body.type)}</code></h4>${schemaHtml(resolve(document, body.schema))}`
  }
<h4>Answers</h4>
<ul class="answers">${
    Object.entries<Node>(operation.node["responses"]).filter(([status]) => status !== "default")
      .map((entry) => answerHtml(document, entry)).join("")
  }</ul>
<pre class="curl"><code>${escapeHtml(curl(document, base_url, operation))}</code></pre>
${tryHtml(document, operation)}
</section>`
}
