import { source as axeSource } from "axe-core"
import { existsSync } from "node:fs"
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"

const found = [process.env["FOOTNOTE_CHROMIUM"], "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
  (path) => path !== undefined && existsSync(path)
)

/** Why tests in a browser cannot run here; undefined where they can. */
export const noChromium = found === undefined
  ? "there is no /usr/bin/chromium (apt-get install chromium, or FOOTNOTE_CHROMIUM names one)"
  : undefined
if (noChromium !== undefined) process.stderr.write(`Skipped: the application in a browser, because ${noChromium}.\n`)

export const launch = (): Promise<Browser> =>
  // Its own sandbox needs a right that containers seldom have; what it opens here is ours.
  chromium.launch({ executablePath: found!, args: ["--no-sandbox"] })

/** What a page did wrong: a script that failed, a line in red, anything that its policy stopped. */
export const faultsOf = async (context: BrowserContext): Promise<ReadonlyArray<string>> => {
  const faults: Array<string> = []
  await context.exposeBinding("policyStopped", (_, what: string) => void faults.push(`policy: ${what}`))
  await context.addInitScript(`document.addEventListener("securitypolicyviolation", (stopped) =>
    policyStopped(stopped.violatedDirective + " " + stopped.blockedURI))`)
  context.on("page", (page) => {
    page.on("pageerror", (error) => void faults.push(`error: ${error.message}`))
    page.on("console", (line) => {
      if (line.type() === "error") faults.push(`console: ${line.text()}`)
    })
    page.on("dialog", (dialog) => void faults.push(`dialog: ${dialog.message()}`))
  })
  return faults
}

interface Violation {
  readonly id: string
  readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary?: string }>
}

/** The size of what is touched is of WCAG 2.2 AA, and asked for by name. */
const asked = JSON.stringify({ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } })

/** What axe-core finds against WCAG 2.2 AA and its own best practices on what the page shows now. */
export const axeViolations = async (page: Page): Promise<ReadonlyArray<string>> => {
  // Evaluated by the debugger, which no policy of the page stops.
  const violations = await page.evaluate<ReadonlyArray<Violation>>(
    `${axeSource}; axe.run(document, ${asked}).then(({ violations }) => violations)`
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}

/** Waits until the page's video is as the expression says, in which it is `video`; looked at with every picture that is drawn. */
export const videoIs = (page: Page, expression: string): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    const look = () => {
      const video = document.querySelector("video")
      if (video !== null && (${expression})) resolve(true)
      else requestAnimationFrame(look)
    }
    look()
  })`)
