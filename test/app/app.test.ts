import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { crossed } from "../support/Breadth.ts"
import { axeViolations, launch, noChromium, videoIs } from "../support/Chromium.ts"
import { deployment, finished, submit } from "../support/Deployment.ts"
import { receiver } from "../support/Receiver.ts"
import { shortClip } from "../support/ShortClip.ts"
import { accountSuite } from "./accountSuite.ts"
import {
  afterFootage,
  type AppScene,
  ask,
  inside,
  leafOf,
  opened,
  pixelsOf,
  ready,
  signedIn,
  walkedByTab
} from "./AppScene.ts"
import { draftSuite } from "./draftSuite.ts"
import { reviewSuite } from "./reviewSuite.ts"

const sample = fileURLToPath(new URL("../../samples/product-demo.mp4", import.meta.url))

const screens = ["jobs", "batches", "new", "schemas", "destinations", "keys", "usage"]

/** What axe-core looks at each page in. */
const looks = crossed([1280, 390], ["light", "dark"] as const)

const scope = Effect.runSync(Scope.make())
let scene: AppScene
let report: string

const percentOf = (from: number, of: number) => Math.round((from / of) * 100)

describe.skipIf(noChromium !== undefined)("the application", () => {
  beforeAll(async () => {
    const hook = await Effect.runPromise(Scope.provide(receiver({ status: 200 }), scope))
    const env = { SOURCE_ALLOW_PRIVATE: "127.0.0.0/8", SOURCE_ALLOW_PORTS: new URL(hook.url).port }
    const service = await Effect.runPromise(Scope.provide(deployment({ env }), scope))
    const { client, folder } = service
    const created = await Effect.runPromise(submit(client, sample, { schema_id: "sch_template_product_demo" }))
    const job = await Effect.runPromise(finished(client, created.id))
    assert.strictEqual(job.status, "succeeded")
    const evidence = await Effect.runPromise(client.json(`/v1/jobs/${job.id}/evidence`))
    const { spans } = evidence as unknown as { readonly spans: AppScene["spans"] }
    const page = await Effect.runPromise(client.bytes(`/v1/jobs/${job.id}/report.html?media=media.mp4`))
    mkdirSync(join(folder, "report"))
    report = join(folder, "report", "report.html")
    writeFileSync(report, page)
    copyFileSync(sample, join(folder, "report", "media.mp4"))
    writeFileSync(join(folder, "alone.html"), page)
    scene = { service, browser: await launch(), job_id: job.id, spans, hook }
    // A service and all of a sample: 110 s were seen where thirty processes wanted two processors.
  }, 360_000)
  afterAll(async () => {
    await scene?.browser.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  describe("report.html, opened from a disk without a network", () => {
    it("plays the span of a leaf once, from its beginning to its end, and marks its words and its place in the picture", async () => {
      const { asked, close, faults, page } = await opened(scene.browser, report)
      await ready(page)
      const heard = scene.spans.filter(({ t_end, t_start }) => t_end - t_start < 3)
      assert.isNotEmpty(heard)
      for (const { pointer, quote, t_end, t_start } of heard.slice(0, 2)) {
        await (await leafOf(page, pointer)).click()
        await videoIs(page, "!video.paused")
        await inside(page, { t_start, t_end })
        await videoIs(page, `video.paused && Math.abs(video.currentTime - ${t_end}) < 0.1`)
        const marked = await page.locator(".word.cited").allTextContents()
        assert.strictEqual(marked.join(" ").replaceAll(/\W/gu, ""), quote.replaceAll(/\W/gu, ""))
      }

      for (
        const one of scene.spans.filter(({ source_ref }) => source_ref.startsWith("frame#")).slice(0, 3)
      ) {
        const { media_fragment, pointer, t_end, t_start } = one
        await (await leafOf(page, pointer)).click()
        await inside(page, { t_start, t_end })
        const [x, y, width, height] = /percent:(.+)/u.exec(media_fragment)![1]!.split(",").map(Number)
        const box = await page.locator(".evidence-box").boundingBox()
        const picture = await page.locator("video").boundingBox()
        assert.closeTo(percentOf(box!.x - picture!.x, picture!.width), x!, 2)
        assert.closeTo(percentOf(box!.y - picture!.y, picture!.height), y!, 2)
        assert.closeTo(percentOf(box!.width, picture!.width), width!, 3)
        assert.closeTo(percentOf(box!.height, picture!.height), height!, 4)
        const { contrast, difference } = await pixelsOf(scene, page, one.source_ref)
        assert.isAbove(contrast, 15, `there is text in the box of ${pointer}`)
        assert.isBelow(difference, 25, `what the player shows in the box of ${pointer} is what was kept there`)
      }
      assert.deepStrictEqual(faults, [])
      assert.isTrue(asked.every((url) => /^(file|data):/u.test(url)), asked.join("\n"))
      await close()
    })

    it("is walked through by keys alone, leaf by leaf and citation by citation", async () => {
      const { close, faults, page } = await opened(scene.browser, report)
      await ready(page)
      const twice = scene.spans.findIndex(({ citations, corroborated_by }) =>
        citations.length + corroborated_by.length > 1
      )
      await page.keyboard.press("ArrowDown")
      const seen: Array<string | null> = []
      const pointer = () => page.locator(".leaf.open .leaf-button").getAttribute("data-pointer")
      for (let steps = 0; steps < 40 && seen.at(-1) !== scene.spans[twice]!.pointer; steps += 1) {
        seen.push(await pointer())
        if (seen.at(-1) !== scene.spans[twice]!.pointer) await page.keyboard.press("ArrowDown")
      }
      assert.strictEqual(seen.at(-1), scene.spans[twice]!.pointer)
      const all = [...scene.spans[twice]!.citations, ...scene.spans[twice]!.corroborated_by]
      await page.keyboard.press("ArrowRight")
      await inside(page, all[1]!)
      await page.keyboard.press("Space")
      await videoIs(page, "!video.paused")
      await page.keyboard.press("Space")
      await videoIs(page, "video.paused")
      // Tab leads to the player and out of it again: nothing holds the focus.
      const stops = new Set<string>()
      for (let tabs = 0; tabs < 60; tabs += 1) {
        await page.keyboard.press("Tab")
        stops.add(await page.evaluate<string>(`document.activeElement.getAttribute("aria-label") ?? ""`))
      }
      for (const name of ["Play", "Moment", "Captions", "Keys"]) assert.include([...stops], name)
      assert.deepStrictEqual(faults, [])
      await close()
    })

    it("says which leaves rest on a word and on a frame, finds words, and verifies its own manifest", async () => {
      const { close, faults, page } = await opened(scene.browser, report)
      await page.locator(".word.rests").first().click()
      assert.match(await page.locator(".supports p").innerText(), /rests? on/u)
      await page.locator(".supports .chip").first().click()
      assert.strictEqual(await page.locator(".leaf.open").count(), 1)
      await page.getByPlaceholder("Search the transcript").fill("plant")
      assert.isAtLeast(await page.locator(".word.sought").count(), 1)
      await page.getByPlaceholder("Search the transcript").fill("")
      const [first, second] = await page.locator(".segment .word").allInnerTexts()
      await page.getByPlaceholder("Search the transcript").fill(`${first} ${second}`)
      assert.isAtLeast(await page.locator(".word.sought").count(), 2)
      await page.getByPlaceholder("Search the transcript").fill("")
      await page.getByRole("tab", { name: "Frames" }).click()
      await page.locator(".frame").nth(1).click()
      assert.match(await page.locator(".supports p").innerText(), /the frame at/u)
      await page.getByRole("tab", { name: "Graph" }).click()
      await page.locator(".drawn-node.entity").first().click()
      await page.locator(".graph-chosen .chip").first().click()
      await page.getByRole("button", { name: "List" }).click()
      await page.locator(".node-button").first().click()
      await page.getByRole("tab", { name: "Record" }).click()
      await page.getByRole("button", { name: "Verify here" }).click()
      assert.match(await page.locator(".verdict").innerText(), /signature holds, and \d+ files/u)
      assert.deepStrictEqual(faults, [])
      await close()
    })

    it("walks through kept frames and words where the footage is not beside it", async () => {
      const { close, page } = await opened(scene.browser, join(scene.service.folder, "alone.html"))
      await page.locator("img.picture").waitFor()
      assert.match(await page.locator(".notice").innerText(), /stand in/u)
      const { pointer } = scene.spans.find((one) => one.source_ref.startsWith("frame#"))!
      await (await leafOf(page, pointer)).click()
      await page.locator(".evidence-box").waitFor()
      assert.match(await page.locator("img.picture").getAttribute("src") ?? "", /^data:image\/jpeg/u)
      await close()
    })

    it("plays a span where the footage was known before the page listened, as on a slow machine", async () => {
      const { close, page } = await opened(scene.browser, report, {}, afterFootage)
      const { pointer, t_end, t_start } = scene.spans.find((one) => one.t_start > 5)!
      await (await leafOf(page, pointer)).click()
      await inside(page, { t_start, t_end })
      await close()
    })

    it("shows the value that an address names on a phone too, whatever part of the result was open", async () => {
      const { close, page } = await opened(scene.browser, report, { viewport: { width: 390, height: 844 } })
      await page.getByRole("tab", { name: "Record" }).click()
      await leafOf(page, scene.spans[0]!.pointer)
      await close()
    })

    it("leaves room for the transcript beside the picture in the windows of laptops, and goes to the moment of an address", async () => {
      for (const [width, height] of [[1366, 657], [1280, 585], [1440, 760], [1024, 600], [1920, 940]] as const) {
        const { close, page } = await opened(scene.browser, report, { viewport: { width, height } })
        const room = (await page.locator(".transcript").boundingBox())!
        assert.isAtLeast(room.height, 150, `${width} × ${height}`)
        assert.isAtMost(room.y + room.height, height, `${width} × ${height}`)
        assert.isAtLeast((await page.locator(".stage").boundingBox())!.height, 90, `${width} × ${height}`)
        await close()
      }
      const { close, page } = await opened(scene.browser, report)
      await ready(page)
      await page.evaluate(`location.hash = "#t=npt:12.5,15.8"`)
      await videoIs(page, "!video.seeking && Math.abs(video.currentTime - 12.5) < 0.1")
      await close()
    })

    it("has nothing that axe-core finds, light and dark, at 1280 and 390 pixels", async () => {
      for (const [width, colorScheme] of looks) {
        const { close, page } = await opened(scene.browser, report, { viewport: { width, height: 844 }, colorScheme })
        await (await leafOf(page, scene.spans[0]!.pointer)).click()
        for (const tab of await page.getByRole("tab").all()) {
          await tab.click()
          assert.deepStrictEqual(await axeViolations(page), [], `${width} ${colorScheme} ${await tab.innerText()}`)
        }
        await close()
      }
    })
  })

  describe("served at /app/", () => {
    it("leads from a key over an upload and its live progress to a result whose leaves play in their spans", async () => {
      const { client, folder } = scene.service
      const clip = await Effect.runPromise(shortClip(folder, 24, "product-demo"))
      const { close, faults, page } = await signedIn(scene)
      // However late the page is beside the job, it shows the result after the progress.
      const seen = Promise.withResolvers<void>()
      await page.route(/\/evidence$/u, (route) => seen.promise.then(() => route.continue()))
      await page.getByRole("link", { name: "New job" }).click()
      await page.setInputFiles("#source-file", clip)
      await page.getByText("All of it is here.").waitFor()
      await page.locator("#schema-id").selectOption("sch_template_product_demo")
      await page.getByText("Name of the product that is demonstrated").waitFor()
      await page.getByRole("button", { name: "Balanced" }).click()
      await page.getByRole("button", { name: "Start the job" }).click()
      const progress = page.getByRole("progressbar", { name: "Progress of the job" })
      await progress.waitFor()
      await page.locator(".stages .done").first().waitFor()
      seen.resolve()
      // The service tells when the job is over: on a busy machine models take longer than a browser waits for anything.
      const id = /job_[0-9a-z]+/u.exec(page.url())![0]
      assert.strictEqual((await Effect.runPromise(finished(client, id))).status, "succeeded")
      const { spans } = (await ask(scene, "GET", `/v1/jobs/${id}/evidence`)).json as Pick<AppScene, "spans">
      await page.locator(".leaf-button").first().waitFor()
      await ready(page)
      const leaves = page.locator(".leaf-button[data-pointer]")
      const chosen = [
        ...new Set(await leaves.evaluateAll((all) => all.map((leaf) => leaf.getAttribute("data-pointer")!)))
      ]
      let clicked = 0
      for (const pointer of chosen) {
        const span = spans.find((one) => one.pointer === pointer)
        if (span === undefined || clicked === 5) continue
        clicked += 1
        await page.locator(`[data-pointer="${pointer}"]`).click()
        await inside(page, span)
        if (span.source_ref.startsWith("frame#")) await page.locator(".evidence-box").waitFor()
        else await page.locator(".word.cited").first().waitFor()
      }
      assert.strictEqual(clicked, 5)
      assert.deepStrictEqual(faults(), [])
      // The person's file goes; what was made of it stays, and says so.
      const { json: { source_uri } } = await ask(scene, "GET", `/v1/jobs/${id}`)
      await ask(scene, "DELETE", `/v1/uploads/${source_uri.replace("upload://", "")}`)
      await page.reload()
      await page.locator(".leaf-button").first().waitFor()
      assert.match(await page.locator(".notice").innerText(), /not kept any more: kept frames and words stand in/u)
      await page.locator("img.picture").waitFor()
      await page.getByRole("link", { name: "Jobs" }).click()
      await page.locator(".job-row").nth(1).waitFor()
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByLabel("API key").waitFor()
      await close()
    })

    it("tells what is wrong at its field, marks it in the schema, and makes a schema of an example", async () => {
      const { close, faults, go, page } = await signedIn(scene)
      await go("new")
      await page.getByRole("button", { name: "An address" }).click()
      await page.locator("#source-address").fill("http://10.0.0.1/private.mp4")
      await page.getByRole("button", { name: "Write" }).click()
      const editor = page.locator(".editor.here .cm-content")
      await editor.waitFor()
      await page.getByRole("button", { name: "Start the job" }).click()
      await page.getByText("SOURCE_BLOCKED").waitFor()
      await page.getByRole("button", { name: "A sample" }).click()
      await editor.click()
      await page.keyboard.press("Control+A")
      await page.keyboard.insertText(`{ "type": "object", "properties": { "n": { "type": "numbre" } } }`)
      await page.getByRole("button", { name: "Start the job" }).click()
      await page.getByText("SCHEMA_INVALID").waitFor()
      await page.locator(".editor .cm-lintRange-error").first().waitFor()
      await page.getByRole("button", { name: "By example" }).click()
      await page.getByLabel("An example of the JSON that you want").fill(`{ "presenter": "Ada", "price": 4 }`)
      await page.getByRole("button", { name: "Make a schema of it" }).click()
      await editor.waitFor()
      assert.include(await editor.innerText(), `"presenter"`)
      await page.getByRole("button", { name: "By example" }).click()
      await page.getByLabel("An example of the JSON that you want").fill(`{ "guest": "Ada" }`)
      const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/v1/jobs"))
      await page.getByRole("button", { name: "Start the job" }).click()
      assert.property((await sent).postDataJSON().schema_inline.properties, "guest")
      assert.deepStrictEqual(faults().filter((fault) => !fault.includes("status of 422")), [])
      await close()
    })

    it("plays a preview that is made on demand where the browser cannot play the footage as it is", async () => {
      const { close, go, page } = await signedIn(scene)
      // However soon it is made, the page says before that it is.
      const told = Promise.withResolvers<void>()
      await page.route(/\/preview$/u, async (route) => {
        if (route.request().method() === "GET") await told.promise
        await route.continue()
      })
      await page.route(
        /\/media$/u,
        (route) =>
          route.request().method() === "GET" && !route.request().url().includes("/preview/")
            ? route.fulfill({ status: 200, contentType: "video/mp4", body: "no browser plays this" })
            : route.continue()
      )
      await go(`jobs/${scene.job_id}`)
      await page.getByText("A preview is being made").waitFor()
      await page.locator("img.picture").waitFor()
      told.resolve()
      await ready(page)
      assert.match(await page.locator("video").getAttribute("src") ?? "", /\/preview\/media$/u)
      const span = scene.spans.find(({ t_start }) => t_start > 5)!
      await page.locator(`[data-pointer="${span.pointer}"]`).click()
      await inside(page, span)
      await close()
      // All of a sample is encoded: 100 s were seen where twenty processes wanted two processors.
    }, 360_000)

    it("is reached by Tab, every control of every screen, and shows where the focus is", async () => {
      const { close, go, page } = await signedIn(scene)
      for (const place of screens) {
        await go(place)
        await page.locator("h1").first().waitFor()
        await page.getByText("Loading…").first().waitFor({ state: "detached" })
        assert.deepStrictEqual(await walkedByTab(page), { missed: [], hidden: [] }, place)
      }
      await close()
    })

    it("has nothing that axe-core finds on any screen, light and dark, at 1280 and 390 pixels", async () => {
      const { close, go, page } = await signedIn(scene)
      for (const [width, colorScheme] of looks) {
        await page.setViewportSize({ width, height: 844 })
        await page.emulateMedia({ colorScheme })
        for (const place of screens) {
          await go(place)
          await page.locator("h1").first().waitFor()
          await page.getByText("Loading…").first().waitFor({ state: "detached" })
          assert.deepStrictEqual(await axeViolations(page), [], `${place} ${width} ${colorScheme}`)
        }
        await go(`jobs/${scene.job_id}`)
        for (const dialog of ["Save or send", "Accept all", "Keys"]) {
          await page.getByRole("button", { name: dialog, exact: true }).click()
          await page.getByRole("dialog").waitFor()
          assert.deepStrictEqual(await axeViolations(page), [], `${dialog} ${width} ${colorScheme}`)
          await page.keyboard.press("Escape")
        }
      }
      await go("jobs")
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByLabel("API key").waitFor()
      assert.deepStrictEqual(await axeViolations(page), [])
      await close()
    })

    accountSuite(() => scene)
    reviewSuite(() => scene)
    draftSuite(() => scene)
  })
})
