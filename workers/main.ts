import { endWithParent } from "../src/processes/EndWithParent.ts"

// Before the rest is loaded, which takes seconds on a busy machine: whoever started this may be gone by then.
endWithParent()
await import("./WorkerProcess.ts")
