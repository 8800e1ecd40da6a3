import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { axeViolations, videoIs } from "../support/Chromium.ts"
import { type AppScene, ask, extractedAgain, ready, signedIn } from "./AppScene.ts"

/** Rows are there only in view: to one that is not, its address leads. */
const open = async (page: Page, pointer: string) => {
  await page.locator(".leaf-button").first().waitFor()
  const leaf = page.locator(`[data-pointer="${pointer}"]`)
  if (await leaf.count() === 0) {
    // Which opens it too: a click beside that closed it again where the machine was busy.
    await page.evaluate(`location.hash = location.hash.split("/evidence")[0] + "/evidence${pointer}"`)
  } else if (await leaf.getAttribute("aria-expanded") !== "true") await leaf.click()
  await page.locator(`[data-pointer="${pointer}"][aria-expanded=true]`).waitFor()
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

const expected = (fault: string) => !/status of (401|403|409|503)|ERR_FAILED/u.test(fault)

/** What a person has drafted, and what becomes of it when something comes between. */
export const draftSuite = (scene: () => AppScene) => {
  describe("a review that is not saved yet", () => {
    it("outlives a reload, another screen, the end of the session and somebody else's revision, and says what that changed", async () => {
      const id = await extractedAgain(scene(), { precision: "balanced", title: "Drafts" })
      const { close, context, faults, go, page } = await signedIn(scene())
      page.on("dialog", (dialog) => void dialog.accept())
      const path = `/v1/jobs/${id}`
      const before = (await ask(scene(), "GET", `${path}/result`)).json.result
      await go(`jobs/${id}`)
      await open(page, "/url")
      await button(page, "Accept").click()
      await open(page, "/product")
      await button(page, "Accept").click()
      await open(page, "/presenters/0")
      await button(page, "Correct").click()
      await page.getByLabel("The right value").fill("Anna Coles")
      const kept = async () => {
        await button(page, "Save 2 decisions").waitFor()
        await open(page, "/presenters/0")
        assert.strictEqual(await page.getByLabel("The right value").inputValue(), "Anna Coles")
      }
      const asked = page.waitForEvent("dialog")
      await page.reload()
      assert.strictEqual((await asked).type(), "beforeunload")
      await page.locator(".leaf-button").first().waitFor()
      await kept()
      await page.getByRole("link", { name: "Jobs" }).click()
      await page.locator(".job-row").first().waitFor()
      await page.goBack()
      await page.locator(".leaf-button").first().waitFor()
      await kept()

      await context.clearCookies()
      await button(page, "Save 2 decisions").click()
      const dialog = page.getByRole("dialog", { name: "Save a review" })
      await dialog.getByText("Not finished, and not saved with this").waitFor()
      await page.locator("#review-note").fill("My own look.")
      await button(page, "Save revision 1").click()
      const again = page.getByRole("dialog", { name: "Sign in again" })
      await again.waitFor()
      assert.deepStrictEqual(await axeViolations(page), [])
      assert.isAtLeast(await page.locator(".leaf-button").count(), 1)
      await again.getByLabel("API key").fill(scene().service.api_key)
      await again.getByRole("button", { name: "Sign in" }).click()
      await again.waitFor({ state: "detached" })

      const theirs = await ask(scene(), "POST", `${path}/reviews`, {
        base_revision: 0,
        note: "It is another product.",
        decisions: [{ pointer: "/product", action: "correct", value: "Something else" }]
      })
      assert.strictEqual(theirs.status, 201)
      await button(page, "Save revision 1").click()
      const told = page.getByRole("dialog", { name: "What has changed meanwhile" })
      await told.waitFor()
      assert.deepStrictEqual(await axeViolations(page), [])
      const says = await told.innerText()
      assert.match(says, /saved revision 1: “It is another product.”/u)
      assert.match(says, /1 decision of yours stays/u)
      assert.match(says, /Product: “You accept this.” is set aside/u)
      await button(page, "Go on").click()
      await page.getByText("Revision 1", { exact: true }).waitFor()
      await button(page, "Save 1 decision").waitFor()
      await page.getByPlaceholder("Search the transcript").fill("plant")
      await open(page, "/presenters/0")
      await button(page, "Correct it").click()
      await button(page, "Save 2 decisions").click()
      assert.strictEqual(await page.locator("#review-note").inputValue(), "My own look.")
      await button(page, "Save revision 2").click()
      await page.getByText("Revision 2", { exact: true }).waitFor()
      // And whoever saved goes on where they were.
      await page.locator(`[data-pointer="/presenters/0"][aria-expanded=true]`).waitFor()
      assert.strictEqual(await page.getByPlaceholder("Search the transcript").inputValue(), "plant")
      const { result } = (await ask(scene(), "GET", `${path}/result?reviewed=true`)).json
      assert.strictEqual(result.product, "Something else")
      assert.deepStrictEqual(result.presenters, ["Anna Coles", ...before.presenters.slice(1)])
      assert.strictEqual(await page.evaluate("Object.keys(sessionStorage).join()"), "")
      await page.getByRole("tab", { name: "Record" }).click()
      await page.locator(".revisions").getByText("It is another product.").waitFor()
      // The question of the browser when it was loaded anew, and nothing else.
      assert.deepStrictEqual(faults().filter(expected), ["dialog: "])
      await close()
    })

    it("adds entries to a list behind those of others and rejects one, and is told at the field what cannot stand there", async () => {
      const id = await extractedAgain(scene(), { precision: "balanced", title: "Entries" })
      const { close, faults, go, page } = await signedIn(scene())
      const path = `/v1/jobs/${id}`
      const before = (await ask(scene(), "GET", `${path}/result`)).json.result
      const entries = before.features.length
      await go(`jobs/${id}`)
      await open(page, "/product")
      await button(page, "Correct").click()
      await page.getByLabel("Kind of value").selectOption("No value")
      await button(page, "Correct it").click()
      await open(page, "/features/0/name")
      await button(page, "Reject the entry Features › 1").click()
      const add = button(page, "Add an entry to Features")
      const field = (entry: number) => page.getByLabel(`Entry ${entry}`, { exact: true })
      await add.click()
      await field(entries + 1).fill(`{ "name": 5 }`)
      await button(page, "Add it").click()
      await page.getByText("name: Text is wanted here.").waitFor()
      assert.deepStrictEqual(await axeViolations(page), [])
      await field(entries + 1).fill(`{ "name": "A timer" }`)
      await button(page, "Add it").click()
      await add.click()
      const typed = `{ "name": "A lamp" }`
      await field(entries + 2).fill(typed)
      await page.locator(".decided", { hasText: "A timer" }).getByRole("button", { name: "Undo" }).click()
      assert.strictEqual(await field(entries + 1).inputValue(), typed)

      const theirs = await ask(scene(), "POST", `${path}/reviews`, {
        base_revision: 0,
        decisions: [{ pointer: `/features/${entries}`, action: "correct", value: { name: "Theirs" } }]
      })
      assert.strictEqual(theirs.status, 201)
      await button(page, "Save 2 decisions").click()
      await button(page, "Save revision 1").click()
      await page.getByText("2 decisions of yours stay as they are.").waitFor()
      await button(page, "Go on").click()
      await open(page, "/features/1/name")
      assert.strictEqual(await field(entries + 2).inputValue(), typed)
      await button(page, "Add it").click()
      await button(page, "Save 3 decisions").click()
      await button(page, "Save revision 2").click()
      await page.getByText("Revision 2", { exact: true }).waitFor()
      const { result } = (await ask(scene(), "GET", `${path}/result?reviewed=true`)).json
      assert.isNull(result.product)
      assert.deepStrictEqual(
        result.features.map(({ name }: any) => name),
        [...before.features.slice(1).map(({ name }: any) => name), "Theirs", "A lamp"]
      )
      assert.deepStrictEqual(faults().filter(expected), [])
      await close()
    })
  })

  describe("what comes between a page and its service", () => {
    it("is another tab that signed in anew: what is asked goes through with its token", async () => {
      const { close, context, go, page, faults } = await signedIn(scene())
      await go("keys")
      await page.getByLabel("Name").fill("Of two tabs")
      const other = await context.newPage()
      await other.goto(scene().service.base_url)
      const signInAnew = async () => {
        await other.getByRole("button", { name: "Sign out" }).click()
        await other.getByLabel("API key").fill(scene().service.api_key)
        await other.getByRole("button", { name: "Sign in" }).click()
        await other.getByRole("link", { name: "New job" }).waitFor()
      }
      await signInAnew()
      await button(page, "Make the key").click()
      await page.locator(".secret code").waitFor()
      await button(page, "Revoke Of two tabs").click()
      const template = page.waitForResponse(/\/v1\/schemas\//u)
      await go("new")
      await template
      await signInAnew()
      await page.setInputFiles("#source-file", { name: "a.mp4", mimeType: "video/mp4", buffer: Buffer.from("Footage") })
      await page.getByText("All of it is here.").waitFor()
      assert.deepStrictEqual(faults().filter(expected), [])
      await close()
    })

    it("is told, and never taken for being signed out or for work that goes on", async () => {
      const { close, go, page } = await signedIn(scene())
      await page.route("**/v1/session", (route) => route.fulfill({ status: 503, body: "" }))
      await page.reload()
      await page.getByRole("alert").waitFor()
      assert.strictEqual(await page.getByLabel("API key").count(), 0)
      await page.unroute("**/v1/session")
      await button(page, "Try again").click()
      await page.locator(".job-row").first().waitFor()

      const record = (await ask(scene(), "GET", `/v1/jobs/${scene().job_id}`)).json
      let gone = false
      await page.route(
        `**/v1/jobs/${scene().job_id}`,
        (route) => gone ? route.abort() : route.fulfill({ json: { ...record, status: "running", result: null } })
      )
      await page.route("**/events", async (route) => {
        gone = true
        await route.abort()
      })
      await go(`jobs/${scene().job_id}`)
      await page.getByText("What is shown may be out of date").waitFor()
      await page.unroute(`**/v1/jobs/${scene().job_id}`)
      await button(page, "Ask now").click()
      await page.locator(".leaf-button").first().waitFor()
      await close()
    })

    it("is another screen: the list is found as it was left, each screen is named, and an address leads to a moment", async () => {
      const { close, go, page } = await signedIn(scene())
      await go("jobs")
      await page.getByLabel("Status").selectOption("succeeded")
      await page.locator(".job-row").first().waitFor()
      assert.strictEqual(await page.title(), "Jobs · Footnote")
      await go(`jobs/${scene().job_id}?t=12.5`)
      await ready(page)
      await videoIs(page, "!video.seeking && Math.abs(video.currentTime - 12.5) < 0.1")
      await page.getByRole("link", { name: "Jobs" }).click()
      await page.locator(".job-row").first().waitFor()
      assert.strictEqual(await page.getByLabel("Status").inputValue(), "succeeded")
      await go("keys")
      await page.getByRole("heading", { level: 1 }).waitFor()
      await page.waitForFunction(`document.title === "Keys · Footnote"`)
      await close()
    })
  })
}
