import { Config } from "effect"
import { setting, text } from "../observability/Setting.ts"

/** Whether `NODE_ENV` is `production`: then nothing is made up that others have to rely on, such as keys. */
export const isProduction = setting("NODE_ENV", text, {
  otherwise: "development",
  meaning: "with `production` no key is made at first need, decoders must be confined, the bundled decoder is refused, "
    + "and addresses that others cannot reach safely are warned of"
}).pipe(Config.map((mode) => mode === "production"))
