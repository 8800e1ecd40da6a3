import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { faultsOf, launch, noChromium } from "../support/Chromium.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

const sample = fileURLToPath(new URL("../../samples/product-demo.mp4", import.meta.url))

const browser = Effect.acquireRelease(Effect.promise(launch), (opened) => Effect.promise(() => opened.close()))

describe.skipIf(noChromium !== undefined)("the API's own page in a browser", () => {
  layer(Server.layer, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.effect("a key can be entered and what is tried is answered, on a phone and on a desk, and nothing runs over the side", () =>
      Effect.gen(function*() {
        const { base_url, send, succeed, sql, tenant } = yield* TestServer
        const { key } = yield* tenant("reader")
        const json = { source_uri: "https://example.com/demo.mp4" }
        const { id } = (yield* send("POST", "/v1/jobs", { key, json })).json
        yield* succeed(id, { source: readFileSync(sample) })
        const facts = {
          container: "mp4",
          duration_seconds: 77,
          width: 1280,
          height: 720,
          frame_rate: 25,
          audio: "aac",
          video: "h264",
          size_bytes: 1,
          sha256: "0".repeat(64)
        }
        yield* sql(`UPDATE footnote.jobs SET source = '${JSON.stringify(facts)}' WHERE id = '${id}'`)
        const opened = yield* browser
        for (const width of [390, 1280]) {
          yield* Effect.promise(async () => {
            const context = await opened.newContext({ viewport: { width, height: 844 } })
            const faults = await faultsOf(context)
            const page = await context.newPage()
            await page.goto(`${base_url}/docs`)
            await page.fill("#key input", key)
            const tried = async (operation: string, fields: Readonly<Record<string, string>>) => {
              const form = page.locator(`#${operation} .try`)
              await form.locator("summary").click()
              for (const [name, value] of Object.entries(fields)) await form.locator(`[name="${name}"]`).fill(value)
              await form.locator("button:not(.stop)").first().click()
              const answer = form.locator(".answer")
              await answer.locator("pre, a").first().waitFor()
              return answer
            }
            const list = await (await tried("listJobs", {})).innerText()
            assert.match(list, /^200/u)
            assert.include(list, id)
            await tried("getMedia", { "path:id": id })
            await page.waitForFunction("document.querySelector('#getMedia video').readyState >= 2")
            assert.isAbove(await page.evaluate<number>("document.querySelector('#getMedia video').duration"), 70)
            const [wide, seen] = await page.evaluate<ReadonlyArray<number>>(
              "[document.documentElement.scrollWidth, innerWidth]"
            )
            assert.isAtMost(wide!, seen!)
            assert.deepStrictEqual(faults, [])
            await context.close()
          })
        }
      }))
  })
})
