import { Browser } from "../../test/support/Browser.ts"
import { registerClient } from "../../test/support/SignIn.ts"
import { type Outcome, runSuite } from "./Suite.ts"

/**
 * The suite's scenarios for authorization servers. It prints the address that a person is to open; a browser of ours goes
 * there, signs in and follows the redirect to where the suite waits.
 */
export const authorizationScenarios = async (
  base_url: string,
  key: string,
  port: number
): Promise<ReadonlyArray<Outcome>> => {
  const client_id = await registerClient(base_url, `http://127.0.0.1:${port}/callback`)
  const args = ["authorization", "--url", base_url, "--client-id", client_id, "--resource", `${base_url}/mcp`]
  let address: string | undefined
  let signedIn: Promise<unknown> | undefined
  const outcomes = await runSuite([...args, "--port", String(port)], (line) => {
    // Printed before the suite listens, so the browser waits for the line that says it does.
    if (line.startsWith(`${base_url}/oauth/authorize`)) address = line.trim()
    if (line.startsWith("Callback server started") && address !== undefined) signedIn = signIn(address, key)
  })
  await signedIn
  return outcomes
}

const signIn = async (url: string, key: string): Promise<void> => {
  const browser = new Browser()
  const { at } = await browser.follow(url)
  const allowed = await browser.submit(at, { api_key: key, decision: "allow" })
  await fetch(allowed.at)
}
