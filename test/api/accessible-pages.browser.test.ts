import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { axeViolations, launch, noChromium } from "../support/Chromium.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

const browser = Effect.acquireRelease(Effect.promise(launch), (opened) => Effect.promise(() => opened.close()))

describe.skipIf(noChromium !== undefined)("a page of the API's own", () => {
  layer(Server.layer, { excludeTestServices: true, timeout: 60_000 })((it) => {
    // Sixteen thousand elements: one scheme at each width, so that both are seen and it takes seconds.
    it.effect("/docs has nothing that axe-core finds, light on a phone and dark on a desk", () =>
      Effect.gen(function*() {
        const { base_url } = yield* TestServer
        const opened = yield* browser
        for (const [width, colorScheme] of [[390, "light"], [1280, "dark"]] as const) {
          yield* Effect.promise(async () => {
            const context = await opened.newContext({ viewport: { width, height: 844 }, colorScheme })
            const page = await context.newPage()
            await page.goto(`${base_url}/docs`)
            assert.deepStrictEqual(await axeViolations(page), [], `${width} ${colorScheme}`)
            await context.close()
          })
        }
      }))

    it.effect("a person whose link leads nowhere is told so on a page in which axe-core finds nothing", () =>
      Effect.gen(function*() {
        const { base_url } = yield* TestServer
        const opened = yield* browser
        yield* Effect.promise(async () => {
          const told = await opened.newPage()
          const answer = await told.goto(`${base_url}/v1/jobs/job_none/media`)
          assert.strictEqual(answer!.status(), 401)
          assert.match(answer!.headers()["content-type"]!, /^text\/html/u)
          for (const colorScheme of ["light", "dark"] as const) {
            await told.emulateMedia({ colorScheme })
            assert.deepStrictEqual(await axeViolations(told), [], colorScheme)
          }
        })
      }))
  })
})
