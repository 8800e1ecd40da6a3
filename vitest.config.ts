import { defineConfig } from "vitest/config"

// State lives in layers, so files share one module graph: 1.4 s instead of 7.4 s for 12 small files.
export default defineConfig({ test: { include: ["test/**/*.test.ts"], isolate: false, testTimeout: 120_000, hookTimeout: 120_000 } })
