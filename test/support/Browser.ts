/** As much of a browser as a sign-in needs: cookies by path, and redirects that it can be asked about. */
export class Browser {
  readonly #cookies = new Map<string, { readonly value: string; readonly path: string }>()

  async open(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(url)
    const cookie = [...this.#cookies].filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
    const response = await fetch(url, {
      redirect: "manual",
      ...init,
      headers: { accept: "text/html", ...init.headers, ...(cookie.length === 0 ? {} : { cookie: cookie.join("; ") }) }
    })
    for (const header of response.headers.getSetCookie()) {
      const [pair, ...attributes] = header.split(/; */u)
      const [name, ...value] = pair!.split("=")
      const path = attributes.find((attribute) => /^path=/iu.test(attribute))?.slice(5) ?? "/"
      if (value.join("=") === "") this.#cookies.delete(name!)
      else this.#cookies.set(name!, { value: value.join("="), path })
    }
    return response
  }

  /** Follows redirects for as long as they stay on this origin; answers the page, or where they lead. */
  async follow(url: string | URL, init: RequestInit = {}): Promise<{ readonly response: Response; readonly at: URL }> {
    let at = new URL(url)
    let response = await this.open(at, init)
    while (response.status >= 300 && response.status < 400) {
      const next = new URL(response.headers.get("location")!, at)
      if (next.origin !== at.origin) return { response, at: next }
      at = next
      response = await this.open(at)
    }
    return { response, at }
  }

  /** Sends the form of the page at `url`. */
  submit(url: string | URL, fields: Readonly<Record<string, string>>) {
    return this.follow(url, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(fields).toString()
    })
  }
}
