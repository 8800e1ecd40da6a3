import { writeFileSync } from "node:fs"
import { openApiDocument } from "../src/api/OpenApiDocument.ts"

// Generated, committed, and held equal to the code by test/guarantees/openapi.test.ts.
const file = new URL("../docs/openapi.json", import.meta.url)
writeFileSync(file, openApiDocument())
console.log(`Wrote ${file.pathname}`)
