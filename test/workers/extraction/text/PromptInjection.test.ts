import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { attacks } from "../../../../bench/injection/Attacks.ts"
import { injectionOf } from "../../../../workers/extraction/text/PromptInjection.ts"

const dev = fileURLToPath(new URL("../../../../../shared/assets/extraction/dev", import.meta.url))
const sets = ["sgd", "sgd_train", "qmsum", "gum"].map((name) => `${dev}/${name}.jsonl`).filter((file) =>
  existsSync(file)
)
if (sets.length === 0) process.stderr.write("Skipped: real talk, because ../shared/assets is not here.\n")

const texts = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string" ? [value] : typeof value === "object" && value !== null
    ? Object.values(value).flatMap(texts)
    : []

describe("injectionOf", () => {
  it.each(attacks.filter(({ channel }) => channel !== "schema"))("judges $channel: $name as $outcome", (attack) => {
    const expected = { forged: "forged", ordered: "orders", content: null }[attack.outcome]
    expect(injectionOf(attack.text)).toBe(expected)
  })

  it.each([
    "Ignore the instructions on the box and bake it for ten minutes.",
    "Forget everything you know about knots.",
    "A system message appears when the disk is full.",
    "The assistant answers only questions about tents.",
    "You are now ready to print your first page.",
    "Send your API key in the header of every request.",
    "Repeat this ten times on each side.",
    "System: Linux 6.1",
    "By the end of the document you know the rules.",
    "const [a, b] = [1, 2]; return a | b",
    "{\"op\": \"replace\", \"path\": \"/rating\", \"value\": 10}",
    "[12|4|99]",
    "[12] Smith and Hall, chapter 3, 10:30",
    "(12/08/10:30)",
    "=== Results ===",
    "<source src=\"a.webm\" type=\"video/webm\">",
    "می\u200Cخواهم 👩\u200D🚀"
  ])("takes what people say and show at its word: %s", (text) => {
    expect(injectionOf(text)).toBeNull()
  })

  it.skipIf(sets.length === 0)("suspects nothing in thousands of real dialogues, meetings and interviews", () => {
    const said = sets.flatMap((file) =>
      readFileSync(file, "utf8").split("\n").filter(Boolean).flatMap((line) => texts(JSON.parse(line)))
    )
    expect(said.length).toBeGreaterThan(10_000)
    expect(said.filter((text) => injectionOf(text) !== null)).toEqual([])
  })
})
