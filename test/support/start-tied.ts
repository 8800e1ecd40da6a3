import { spawn } from "node:child_process"
import { tiedCommand } from "../../src/processes/TiedCommand.ts"

/** Starts `node start-tied.ts COMMAND ARGUMENT…` tied to itself and says so; it never ends by itself. */
const [file, ...args] = process.argv.slice(2)
spawn(...tiedCommand(file!, args), { stdio: "ignore" }).once("spawn", () => process.send?.("started"))
