import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { longTests } from "./test/support/LongTests.ts"
import { propertyRuns } from "./test/support/PropertyRuns.ts"
import { RunSummary } from "./test/support/RunSummary.ts"

export default defineConfig(({ mode }) => {
  const soak = mode === "soak"
  const drawn = propertyRuns(soak, process.env)
  const replay = Object.entries(drawn).map(([name, value]) => `${name}=${value}`).join(" ")
  if (replay !== "FOOTNOTE_PROPERTY_SEED=1 FOOTNOTE_PROPERTY_RUNS=1") process.stdout.write(`Properties drawn with ${replay}\n`)
  const patience = 120_000 * Math.max(1, Number(drawn.FOOTNOTE_PROPERTY_RUNS))
  const all = "test/**/*.test.ts"
  return {
    test: {
      // State lives in layers, so files share one module graph: 1.4 s instead of 7.4 s for 12 small files.
      isolate: false,
      // Processes of the service that tests start spend 0.5 s of the processor instead of 0.95 on loading their modules.
      env: { ...drawn, NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url)) },
      reporters: ["default", new RunSummary()],
      setupFiles: "test/support/draw-properties.ts",
      testTimeout: patience,
      hookTimeout: patience,
      ...(soak ? { include: globSync(all).filter((path) => /\bfast-check\b/u.test(readFileSync(path, "utf8"))) } : {
        // Whole services one after another, then what waits for processes and the database more than for a core, three at once: by one
        // worker, which is what two cores are given, these alone took 28 minutes instead of 7.
        projects: [
          {
            extends: true as const,
            test: { name: "long", include: Object.keys(longTests), maxWorkers: 1, sequence: { groupOrder: 0 } }
          },
          {
            extends: true as const,
            test: { name: "quick", include: [all], exclude: Object.keys(longTests), maxWorkers: 3, sequence: { groupOrder: 1 } }
          }
        ]
      })
    }
  }
})
