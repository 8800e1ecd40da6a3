// The address of the API is that of this page, wherever it was opened: its policy allows requests to no other.
const base = new URL(".", location.href).href.replace(/\/$/u, "")

const key = document.querySelector("#key input")
key.value = sessionStorage.getItem("footnote_api_key") ?? ""
key.addEventListener("input", () => sessionStorage.setItem("footnote_api_key", key.value.trim()))
document.querySelector("#key").addEventListener("submit", (event) => event.preventDefault())

if (matchMedia("(max-width: 52rem)").matches) document.querySelector("nav details").open = false

document.querySelector("#filter").addEventListener("input", ({ target }) => {
  const wanted = target.value.trim().toLowerCase()
  for (const item of document.querySelectorAll("nav .operations li")) {
    const section = document.getElementById(item.firstChild.hash.slice(1))
    const text = `${item.textContent} ${section.querySelector(".route").textContent}`.toLowerCase()
    item.hidden = !text.includes(wanted)
  }
})

const element = (name, text) => Object.assign(document.createElement(name), { textContent: text })

/** Address, headers and body of what a form says. */
const requestOf = (form) => {
  const headers = {}
  const query = new URLSearchParams()
  let path = form.dataset.path
  for (const { name, value } of form.querySelectorAll("[name]")) {
    const [place, field] = name.split(":")
    if (place === "path") path = path.replace(`{${field}}`, encodeURIComponent(value))
    if (place === "query" && value !== "") query.append(field, value)
    if (place === "header" && value !== "") headers[field] = value
  }
  if (form.dataset.key !== undefined && key.value.trim() !== "") headers.authorization = `Bearer ${key.value.trim()}`
  const { body, file } = form.elements
  const content = body?.value || file?.files[0]
  if (content) headers["content-type"] ??= form.dataset.type
  const search = query.size === 0 ? "" : `?${query}`
  return { url: `${base}${path}${search}`, init: { method: form.dataset.method, headers, body: content || undefined } }
}

const pretty = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const readable = /json|^text\/|subrip|^$/u

/** Shows a body as it comes: pictures and footage as such, events one by one, JSON with room; what is no text is kept as a file. */
const showBody = async (response, place) => {
  const type = response.headers.get("content-type") ?? ""
  if (!readable.test(type)) {
    const blob = await response.blob()
    const href = URL.createObjectURL(blob)
    const [kind] = type.split("/")
    if (kind === "image") {
      place.append(Object.assign(document.createElement("img"), { alt: "The picture that was answered", src: href }))
    } else if (kind === "video" || kind === "audio") {
      place.append(Object.assign(document.createElement(kind), { controls: true, src: href }))
    }
    const link = element("a", `Keep ${blob.size} bytes of ${type}`)
    place.append(Object.assign(link, { href, download: "answer" }))
    return
  }
  const answer = place.appendChild(document.createElement("pre"))
  // It scrolls, so keys must reach it.
  answer.tabIndex = 0
  const code = answer.appendChild(document.createElement("code"))
  if (!type.startsWith("text/event-stream")) return void (code.textContent = pretty(await response.text()))
  const decoder = new TextDecoder()
  for await (const chunk of response.body) code.textContent += decoder.decode(chunk, { stream: true })
}

const send = async (form) => {
  const place = form.querySelector(".answer")
  const stop = form.querySelector(".stop")
  const ending = new AbortController()
  stop.hidden = false
  stop.onclick = () => ending.abort()
  place.replaceChildren()
  try {
    const { init, url } = requestOf(form)
    const began = performance.now()
    const response = await fetch(url, { ...init, signal: ending.signal })
    const took = `${Math.round(performance.now() - began)} ms`
    const id = response.headers.get("x-request-id") ?? ""
    place.append(element("p", `${response.status} ${response.statusText} · ${took} · ${id}`))
    if (response.status === 401 && key.value.trim() === "") place.append(element("p", "Enter an API key at the top of this page."))
    await showBody(response, place)
  } catch (error) {
    place.append(element("p", ending.signal.aborted ? "Stopped." : `No answer: ${error.message}`))
  } finally {
    stop.hidden = true
  }
}

for (const form of document.querySelectorAll(".try form")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    void send(form)
  })
}
