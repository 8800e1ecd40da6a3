import { readdirSync } from "node:fs"

/** How many migrations this version of the code has; a database with fewer is an older one. */
export const migrationCount: number = readdirSync(new URL("../../migrations/", import.meta.url))
  .filter((file) => /^\d{4}_\w+\.ts$/u.test(file)).length
