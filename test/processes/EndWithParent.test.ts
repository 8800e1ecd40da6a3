import { describe, expect, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

describe("a process that npm started", () => {
  for (const entry of ["src/cli/start.ts", "src/cli/extract.ts", "workers/main.ts"]) {
    it(`ends with it, however long ${entry} takes to load`, async () => {
      const child = spawn(
        process.execPath,
        ["--import", import.meta.resolve("./hangingLoad.ts"), at(`../../${entry}`)],
        {
          // Not the parent that it has: npm is gone already.
          env: { PATH: process.env["PATH"], FOOTNOTE_PARENT_PID: "1" },
          stdio: "ignore"
        }
      )
      expect(await once(child, "exit")).toEqual([null, "SIGKILL"])
    })
  }
})
