import { registerHooks } from "node:module"

// Loaded before the command: its service is one that stands in, everything else is the command as it is.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "./OwnService.ts" && context.parentURL?.endsWith("/src/cli/ExtractCommand.ts") === true
      ? { url: import.meta.resolve("./StandInService.ts"), shortCircuit: true }
      : next(specifier, context)
})
