import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { freePort } from "../../src/cli/LocalService.ts"
import { deployment } from "../support/Deployment.ts"
import { python, runPython } from "../support/PythonClient.ts"
import { shortClip } from "../support/ShortClip.ts"

describe.skipIf(python === undefined)("the Python client", () => {
  it.live(
    "takes jobs from the upload to evidence, subtitles and a verified webhook, and its page runs as it stands",
    () =>
      Effect.gen(function*() {
        const port = String(yield* freePort)
        const { api_key, base_url, folder } = yield* deployment({
          env: { SOURCE_ALLOW_PRIVATE: "127.0.0.0/8", SOURCE_ALLOW_PORTS: port }
        })
        const sample = yield* shortClip(folder, 24, "product-demo")
        const printed = yield* Effect.promise(() =>
          runPython(["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_service.py"], {
            FOOTNOTE_API_KEY: api_key,
            FOOTNOTE_TEST_URL: base_url,
            FOOTNOTE_TEST_HOOK_PORT: port,
            FOOTNOTE_TEST_SAMPLE: sample
          })
        )
        assert.match(printed, /^\d+ passed/mu)
        assert.notMatch(printed, /skipped/u)
      }).pipe(Effect.scoped),
    600_000
  )
})
