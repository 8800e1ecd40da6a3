import type { Effect } from "effect"
import { pathToFileURL } from "node:url"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import sharp from "sharp"
import { faultsOf, videoIs } from "../support/Chromium.ts"
import type { deployment } from "../support/Deployment.ts"

interface Place {
  readonly t_start: number
  readonly t_end: number
  readonly quote: string
  readonly media_fragment: string
  readonly source_ref: string
}
interface Span extends Place {
  readonly pointer: string
  readonly value: unknown
  readonly origin: string
  readonly citations: ReadonlyArray<Place>
  readonly corroborated_by: ReadonlyArray<Place>
}

/** One service with one job that has succeeded, and one browser: what every test of the application looks at. */
export interface AppScene {
  readonly service: Effect.Success<ReturnType<typeof deployment>>
  readonly browser: Browser
  readonly job_id: string
  readonly spans: ReadonlyArray<Span>
  /** Takes every delivery that is sent to it. */
  readonly hook: { readonly url: string; readonly received: ReadonlyArray<{ readonly body: string }> }
}

/** Half of what a test may take: a browser on a busy machine is slow, and what never comes is told with its name all the same. */
export const patience = 60_000

/** A leaf by its own link: of a long list only what is in view is there. */
export const leafOf = async (page: Page, pointer: string) => {
  await page.evaluate(`location.hash = "#/evidence${pointer}"`)
  const leaf = page.locator(`[data-pointer="${pointer}"][aria-expanded=true]`)
  await leaf.waitFor()
  return leaf
}

export const ready = (page: Page) => videoIs(page, "video.readyState >= 2")

export const inside = (page: Page, { t_end, t_start }: { readonly t_start: number; readonly t_end: number }) =>
  videoIs(page, `!video.seeking && video.currentTime >= ${t_start - 0.1} && video.currentTime <= ${t_end + 0.1}`)

/** Holds what a page does later back until its video has told what there was to tell: nobody has listened to it by then. */
export const afterFootage = `for (const name of ["requestAnimationFrame", "setTimeout"]) {
  const real = window[name].bind(window)
  window[name] = (then, ...rest) => real(function turn(...now) {
    const video = document.querySelector("video")
    if (video === null || video.readyState >= 2) then(...now)
    else real(turn, ...rest)
  }, ...rest)
}`

/** A page of the disk, without a network. */
export const opened = async (browser: Browser, file: string, options: BrowserContextOptions = {}, script = "") => {
  const context = await browser.newContext({ offline: true, ...options })
  await context.addInitScript(script)
  const faults = await faultsOf(context)
  const asked: Array<string> = []
  context.on("request", (request) => void asked.push(request.url()))
  const page = await context.newPage()
  await page.goto(pathToFileURL(file).href)
  await page.locator(".leaf-button").first().waitFor()
  return { page, faults, asked, close: () => context.close() }
}

/** A browser in which a key is signed in; the deployment's own where none is named. */
export const signedIn = async ({ browser, service }: AppScene, api_key = service.api_key) => {
  const context = await browser.newContext()
  context.setDefaultTimeout(patience)
  const faults = await faultsOf(context)
  const page = await context.newPage()
  await page.goto(service.base_url)
  await page.getByLabel("API key").fill(api_key)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("link", { name: "New job" }).waitFor()
  // Nobody was signed in when the page asked who is.
  const real = () => faults.filter((fault) => !fault.includes("status of 401"))
  const at = (path: string) => `${service.base_url}/app/#/${path}`
  return { context, page, faults: real, close: () => context.close(), at, go: (path: string) => page.goto(at(path)) }
}

/** A control of the page, whether its focus can be seen, and whether anything lies over it. */
interface Focused {
  readonly control: string | null
  readonly shown: boolean
  readonly covered: boolean
}

/**
 * Goes through the page by Tab, and out of an editor by Escape as the page says. Answers what Tab does not lead to, and what does not
 * show that the focus is on it.
 */
export const walkedByTab = async (page: Page) => {
  const count = await page.evaluate<number>(`(() => {
    const controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
      .filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }))
    controls.forEach((one, at) => one.dataset.control = at)
    return controls.length
  })()`)
  const [reached, hidden] = [new Set<string>(), new Set<string>()]
  for (let tabs = 0; tabs < count + 20; tabs += 1) {
    await page.keyboard.press("Escape")
    await page.keyboard.press("Tab")
    const focused = await page.evaluate<Focused>(`(() => {
      const one = document.activeElement
      const { height, width, x, y } = one.getBoundingClientRect()
      const over = document.elementFromPoint(x + width / 2, y + height / 2)
      const { boxShadow, outlineStyle } = getComputedStyle(one)
      return {
        control: one.dataset.control ?? null,
        shown: outlineStyle !== "none" || boxShadow !== "none",
        covered: over === null || !(one.contains(over) || over.contains(one))
      }
    })()`)
    if (focused.control === null) continue
    reached.add(focused.control)
    if (!focused.shown || focused.covered) hidden.add(focused.control)
  }
  return page.evaluate<{ readonly missed: ReadonlyArray<string>; readonly hidden: ReadonlyArray<string> }>(`(() => {
    const htmlOf = (all) => all.map((one) => one.outerHTML.slice(0, 120))
    const controls = [...document.querySelectorAll("[data-control]")]
    return {
      missed: htmlOf(controls.filter((one) => !${JSON.stringify([...reached])}.includes(one.dataset.control))),
      hidden: htmlOf(controls.filter((one) => ${JSON.stringify([...hidden])}.includes(one.dataset.control)))
    }
  })()`)
}

/** Asks the API with the deployment's key. */
export const ask = async ({ service }: AppScene, method: string, path: string, body?: unknown) => {
  const response = await fetch(service.base_url + path, {
    method,
    headers: { authorization: `Bearer ${service.api_key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { status: response.status, json: response.status === 204 ? undefined : await response.json() as any }
}

/**
 * What the player shows in the box that is drawn on it: how it differs from the same part of the kept frame, and how much there is to be
 * seen at all, both in steps of grey of 256.
 */
export const pixelsOf = async (scene: AppScene, page: Page, source_ref: string) => {
  const { api_key, base_url } = scene.service
  const [box, picture] = [
    (await page.locator(".evidence-box").boundingBox())!,
    (await page.locator("video").boundingBox())!
  ]
  // Without the line around it, which stands outside of what it marks.
  const clip = {
    x: Math.ceil(box.x) + 3,
    y: Math.ceil(box.y) + 3,
    width: Math.floor(box.width) - 7,
    height: Math.floor(box.height) - 7
  }
  const seen = await sharp(await page.screenshot({ clip })).removeAlpha().greyscale().raw().toBuffer()
  const frame = `/v1/jobs/${scene.job_id}/frames/${source_ref.replace("frame#", "frm_")}/image`
  const image = await fetch(base_url + frame, { headers: { authorization: `Bearer ${api_key}` } })
  const kept = await sharp(await image.arrayBuffer())
    .resize(Math.round(picture.width), Math.round(picture.height), { fit: "fill" })
    .extract({
      left: clip.x - Math.round(picture.x),
      top: clip.y - Math.round(picture.y),
      width: clip.width,
      height: clip.height
    })
    .greyscale().raw().toBuffer()
  const mean = kept.reduce((sum, grey) => sum + grey, 0) / kept.length
  return {
    difference: kept.reduce((sum, grey, at) => sum + Math.abs(grey - seen[at]!), 0) / kept.length,
    contrast: Math.sqrt(kept.reduce((sum, grey) => sum + (grey - mean) ** 2, 0) / kept.length)
  }
}

/** A job of its own, quickly: what the first one has heard and seen, extracted once more. */
export const extractedAgain = async (scene: AppScene, body: Record<string, unknown>): Promise<string> => {
  const { json, status } = await ask(scene, "POST", `/v1/jobs/${scene.job_id}/extractions`, {
    schema_id: "sch_template_product_demo",
    ...body
  })
  if (status !== 201) throw new Error(JSON.stringify(json))
  for (let done = false; !done;) {
    const job = await ask(scene, "GET", `/v1/jobs/${json.id}?wait=60`)
    if (job.json.status === "failed") throw new Error(JSON.stringify(job.json.error))
    done = job.json.status === "succeeded"
  }
  return json.id as string
}
