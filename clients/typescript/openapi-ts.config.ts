import { defineConfig } from "@hey-api/openapi-ts"

// Everything below src is written by `npm run generate`; nothing there is edited by hand.
export default defineConfig({
  input: "../../docs/openapi.json",
  output: {
    path: "src",
    clean: true,
    module: { extension: ".ts" },
    fileName: { suffix: null },
    // Whoever imports the sources has their own strictness, which is for their own code.
    header: ({ defaultValue }) => [...defaultValue, "// @ts-nocheck"]
  },
  plugins: [
    { name: "@hey-api/client-fetch", includeInEntry: true },
    { name: "@hey-api/typescript", enums: false },
    { name: "@hey-api/sdk", operations: { strategy: "flat" } }
  ]
})
