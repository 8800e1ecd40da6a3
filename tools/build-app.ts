import { fileURLToPath } from "node:url"
import { build } from "vite"

/**
 * Builds `app/` into `app/built`, which is committed, so that whoever installs this project builds nothing; or into the folder
 * that is named. `report.js` and `report.css` are what `report.html` carries in itself.
 */
// Read by Vite: whatever runs this, the same sources give the same bytes.
process.env["NODE_ENV"] = "production"
const app = fileURLToPath(new URL("../app/", import.meta.url))

await build({
  root: app,
  configFile: false,
  publicDir: false,
  logLevel: "warn",
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2023",
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    outDir: process.argv[2] ?? `${app}built`,
    emptyOutDir: true,
    rolldownOptions: {
      input: { report: `${app}report.tsx` },
      output: { entryFileNames: "[name].js", assetFileNames: "report[extname]", format: "iife" }
    }
  }
})
