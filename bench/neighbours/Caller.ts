/** One tenant's way into the service. */
export interface Caller {
  readonly base: string
  readonly key: string
  readonly call: (
    path: string,
    body?: object,
    signal?: AbortSignal
  ) => Promise<{ readonly status: number; readonly json: any }>
}

export const callerOf = (base: string, key: string): Caller => ({
  base,
  key,
  call: async (path, body, signal) => {
    const response = await fetch(`${base}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ?? AbortSignal.timeout(300_000)
    })
    const text = await response.text()
    return { status: response.status, json: text.startsWith("{") ? JSON.parse(text) : undefined }
  }
})

/** Its address for jobs. */
export const uploaded = async ({ base, key }: Caller, bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/octet-stream" }
  const response = await fetch(`${base}/v1/uploads`, { method: "POST", headers, body: bytes })
  return (await response.json() as { readonly uri: string }).uri
}

const active = ["queued", "running"] as const

/** Cancels what a tenant has at work or waiting; resolves when nothing of it is. */
export const cancelAll = async (tenant: Caller): Promise<void> => {
  for (;;) {
    const pages = await Promise.all(active.map((status) => tenant.call(`/v1/jobs?status=${status}&limit=100`)))
    const ids = pages.flatMap(({ json }) => (json?.data ?? []).map(({ id }: { readonly id: string }) => id))
    if (ids.length === 0 && pages.every(({ status }) => status === 200)) return
    for (const id of ids) await tenant.call(`/v1/jobs/${id}/cancel`, {})
    // Beyond its own limit of requests it is told to wait.
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
