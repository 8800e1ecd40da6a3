import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { resourcesOf } from "./write-clients/Operations.ts"
import { typeScriptOperations } from "./write-clients/TypeScriptOperations.ts"

// Generated, committed, and held equal to the document by test/guarantees/generated-client.test.ts. Other roots are for that test.
const root = process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url))
const document = JSON.parse(readFileSync(`${root}/docs/openapi.json`, "utf8"))
const resources = resourcesOf(document)
const files = {
  "clients/typescript/src/generated/operations.ts": typeScriptOperations(resources)
}
for (const [file, text] of Object.entries(files)) writeFileSync(`${root}/${file}`, text)
console.log(`Wrote ${Object.keys(files).join(", ")}`)
