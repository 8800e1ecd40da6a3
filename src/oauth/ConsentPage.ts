import { escapeHtml as escape, styleSource } from "../web/server/Html.ts"
import { isLocal, policySource } from "./RedirectUri.ts"

export interface Page {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export type ErrorPage = (message: string) => Page

/** What turns text around, hides in it or is not seen at all. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** A name of somebody's own choice as a person may be shown it: what is seen of it, on one line. */
const seen = (name: string): string => name.replaceAll(unseen, "").replaceAll(/\s+/gu, " ").trim()

const style =
  `:root{color-scheme:light dark;--ink:#1c1d20;--soft:#5b5e66;--line:#c9ccd3;--page:#f4f5f7;--sheet:#fff;--deed:#1f4fd1;--on:#fff;--alarm:#a8071a;--note:#fff6e0}
@media(prefers-color-scheme:dark){:root{--ink:#eceef2;--soft:#a9adb8;--line:#4a4e59;--page:#16171b;--sheet:#212329;--deed:#8fb0ff;--on:#10131c;--alarm:#ff9aa2;--note:#3a3118}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{max-width:30rem;margin:0 auto;padding:1.5rem 1.25rem 2rem;background:var(--sheet);min-height:100vh}
@media(min-width:34rem){main{margin:1.5rem auto;padding:1.5rem 2.25rem 1.75rem;min-height:0;border:1px solid var(--line);border-radius:.75rem}}
.brand{margin:0 0 1.25rem;color:var(--soft);font-weight:600}
h1{margin:0 0 1rem;font-size:1.4rem;line-height:1.25;overflow-wrap:anywhere}
p,ul,dl{margin:0 0 1rem}
ul{padding-left:1.2rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:.15rem 1rem}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
label{display:block;font-weight:600;margin-bottom:.25rem}
input{width:100%;padding:.65rem .75rem;font:inherit;font-family:ui-monospace,monospace;color:inherit;background:var(--sheet);border:1px solid var(--soft);border-radius:.4rem}
.hint{color:var(--soft);font-size:.9rem;margin:.35rem 0 1.25rem}
.note{background:var(--note);border-radius:.4rem;padding:.65rem .8rem}
.alarm{color:var(--alarm);font-weight:600;margin:.6rem 0 0}
.deeds{display:flex;flex-wrap:wrap;gap:.75rem}
button{flex:1 1 11.5rem;min-height:2.75rem;padding:.5rem 1rem;font:inherit;font-weight:600;border-radius:.4rem;border:1px solid var(--deed);background:var(--deed);color:var(--on);cursor:pointer}
button.other{background:none;color:var(--deed)}
:focus-visible{outline:3px solid var(--deed);outline-offset:2px}`

/** A page that loads nothing, runs nothing, is framed by nobody, and sends its form to us and on to `redirect` alone. */
const page = (title: string, main: string, redirect?: string): Page => ({
  body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="brand">Footnote</p>
${main}
</main>
</body>
</html>
`,
  headers: {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": [
      "default-src 'none'",
      `style-src ${styleSource(style)}`,
      // A browser holds the redirect after a form to this too.
      `form-action 'self'${redirect === undefined ? "" : ` ${redirect}`}`,
      "base-uri 'none'",
      "frame-ancestors 'none'"
    ].join("; "),
    "cache-control": "no-store",
    // To us alone, since a browser names no origin with a form where it may tell no referrer.
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff"
  }
})

/** Something is wrong with the request, not with what the person did. */
export const errorPage: ErrorPage = (message) =>
  page(
    "Sign-in not possible",
    `<h1>This sign-in cannot go on</h1>
<p>${escape(message)}</p>
<p>Go back to the application and start again from there.</p>`
  )

/** Nothing is wrong with the request; repeating it will hardly help. */
export const failedPage: ErrorPage = (message) =>
  page(
    "Sign-in not possible",
    `<h1>This sign-in failed</h1>
<p>${escape(message)}</p>`
  )

/** Nothing is wrong with the request either: it may be repeated as it is. */
export const waitPage: ErrorPage = (message) =>
  page(
    "Sign-in has to wait",
    `<h1>This sign-in has to wait a moment</h1>
<p>${escape(message)}</p>
<p>Load this page again in a moment; the sign-in goes on where it was.</p>`
  )

export interface ConsentRequest {
  /** As the client says; empty where it says none. */
  readonly client_name: string
  /** Where the client describes itself, which proves its host; none for one that registered itself. */
  readonly client_url: string | undefined
  readonly redirect_uri: string
  /** What the person did wrong a moment ago. */
  readonly problem: string | undefined
}

/** Asks a person to sign in with an API key and to let the client use the tools as the key's tenant. */
export const consentPage = ({ client_name, client_url, problem, redirect_uri }: ConsentRequest): Page => {
  const target = new URL(redirect_uri)
  const web = target.protocol === "https:" || target.protocol === "http:"
  const returns = web ? target.host : `${target.protocol}//${target.host}`
  const described = client_url === undefined ? undefined : new URL(client_url)
  const shown = seen(client_name) || (described?.host ?? "An application without a name")
  // Whatever its direction is, it turns nothing around it.
  const name = `<bdi>${escape(shown)}</bdi>`
  const identity = described === undefined
    ? `<dt>Name</dt><dd>${name} (not verified)</dd>`
    : `<dt>Described at</dt><dd>${escape(described.href)}</dd>`
  return page(
    `Sign in to Footnote for \u2068${shown}\u2069`,
    `<h1>Let ${name} use Footnote?</h1>
<p>It will be able to do this as your tenant, until the key that you sign in with is revoked:</p>
<ul>
<li>submit videos, and cancel jobs</li>
<li>read every job with its result, transcript and evidence</li>
<li>save schemas, and send results to your webhooks</li>
</ul>
<dl>
${identity}
<dt>Returns to</dt><dd>${escape(returns)}</dd>
</dl>
${
      isLocal(target)
        ? `<p class="note">The answer goes to a program on this device. Go on only if you have just started this sign-in yourself.</p>\n`
        : ""
    }<form method="post">
<label for="api_key">API key</label>
<input id="api_key" name="api_key" type="password" required autofocus autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="${
      problem === undefined ? "hint" : "problem hint"
    }"${problem === undefined ? "" : ` aria-invalid="true"`}>
${
      problem === undefined
        ? ""
        : `<p id="problem" class="alarm" role="alert">${escape(problem)}</p>\n`
    }<p id="hint" class="hint">A key of your tenant, beginning with fnk_. The application does not get to see it.</p>
<div class="deeds">
<button name="decision" value="allow">Sign in and allow</button>
<button class="other" name="decision" value="deny" formnovalidate>Do not allow</button>
</div>
</form>`,
    policySource(target)
  )
}
