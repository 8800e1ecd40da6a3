import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { resourcesOf } from "./write-clients/Operations.ts"
import { pythonOperations } from "./write-clients/PythonOperations.ts"
import { itemClass, pythonModels, pythonParams } from "./write-clients/PythonSchemas.ts"
import { typeScriptOperations } from "./write-clients/TypeScriptOperations.ts"

// Generated, committed, and held equal to the document by test/guarantees/generated-client.test.ts. Other roots are for that test.
const root = process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url))
const document = JSON.parse(readFileSync(`${root}/docs/openapi.json`, "utf8"))
const resources = resourcesOf(document)
const models = pythonModels(document, resources)
const items = (operation: Parameters<typeof itemClass>[1]) => itemClass(document, operation, models.classes)
const isClass = (name: string) => models.classes.has(name)
const python = "clients/python/src/footnote/generated"
const files = {
  "clients/typescript/src/generated/operations.ts": typeScriptOperations(resources),
  [`${python}/models.py`]: models.text,
  [`${python}/params.py`]: pythonParams(document, resources),
  [`${python}/operations.py`]: pythonOperations(resources, items, isClass, false),
  [`${python}/async_operations.py`]: pythonOperations(resources, items, isClass, true)
}
for (const [file, text] of Object.entries(files)) writeFileSync(`${root}/${file}`, text)
console.log(`Wrote ${Object.keys(files).join(", ")}`)
