import { fileURLToPath } from "node:url"
import { build, type InlineConfig } from "vite"

/**
 * Builds `app/` into `app/built`, which is committed, so that whoever installs this project builds nothing; or into the folder
 * that is named: `report.js` and `report.css`, which `report.html` carries in itself, and in `served` what `/app/` answers, by hashed names.
 */
// Read by Vite: whatever runs this, the same sources give the same bytes.
process.env["NODE_ENV"] = "production"
const app = fileURLToPath(new URL("../app/", import.meta.url))

const folder = process.argv[2] ?? `${app}built`

const shared = {
  root: app,
  configFile: false,
  publicDir: false,
  logLevel: "warn",
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } }
} satisfies InlineConfig

const target = { target: "es2023", modulePreload: false, assetsInlineLimit: 0, emptyOutDir: true } as const

await build({
  ...shared,
  build: {
    ...target,
    outDir: folder,
    cssCodeSplit: false,
    rolldownOptions: {
      input: `${app}report.tsx`,
      output: { entryFileNames: "report.js", assetFileNames: "report[extname]", format: "iife" }
    }
  }
})

await build({
  ...shared,
  build: {
    ...target,
    outDir: `${folder}/served`,
    rolldownOptions: { input: `${app}index.html` }
  }
})
