import { writeFileSync } from "node:fs"
import { openApiDocument } from "../src/api/OpenApiDocument.ts"
import { configurationPage } from "./write-docs/ConfigurationPage.ts"

// Generated, committed, and held equal to the code by test/guarantees/openapi.test.ts and documents.test.ts.
const pages = { "openapi.json": openApiDocument(), "configuration.md": configurationPage() }
for (const [name, text] of Object.entries(pages)) {
  const file = new URL(`../docs/${name}`, import.meta.url)
  writeFileSync(file, text)
  console.log(`Wrote ${file.pathname}`)
}
