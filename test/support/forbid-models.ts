import { registerHooks } from "node:module"

// Loaded before a worker: ends it where a model runtime is asked for.
registerHooks({
  resolve: (specifier, context, next) => {
    if (/^(onnxruntime-node|@ricky0123\/vad-web)/u.test(specifier)) {
      process.stderr.write(`${specifier} was asked for by ${context.parentURL}\n`)
      process.exit(9)
    }
    return next(specifier, context)
  }
})
