import { registerHooks } from "node:module"

// A machine so busy that the program is never loaded: the main thread stands still at the first library.
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === "effect") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    return next(specifier, context)
  }
})
