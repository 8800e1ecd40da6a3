import { defineConfig } from "@hey-api/openapi-ts"

// The types of the API; what sends and reads them is written by tools/write-clients.ts beside them. Nothing there is edited by hand.
export default defineConfig({
  input: "../../docs/openapi.json",
  output: {
    path: "src/generated",
    clean: true,
    module: { extension: ".ts" },
    fileName: { suffix: null }
  },
  plugins: [{ name: "@hey-api/typescript", enums: false }]
})
