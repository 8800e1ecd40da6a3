import { purposeKeys } from "./PurposeKey.ts"

/** The keys that open addresses of sources, for processes that fetch: `FOOTNOTE_SOURCE_KEY`. */
export const { configured: configuredSourceKeys, given: sourceKeys } = purposeKeys(
  "source",
  "FOOTNOTE_SOURCE_KEY",
  "what opens addresses of sources that have a query, and nothing else, for workers that fetch, which never have the "
    + "encryption key: `npm run -s keys -- source` prints it. Without it, with `NODE_ENV=production`, such a worker takes no tasks "
    + "and says so"
)
