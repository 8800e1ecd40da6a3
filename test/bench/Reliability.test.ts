import { assert, it } from "@effect/vitest"
import { withSection } from "../../bench/Reliability.ts"

it("a run takes the place of the earlier one of its title, and changes no other section", () => {
  const one = withSection("# Page\n", "One", "## One\n\n1\n")
  const two = withSection(one, "Two", "## Two\n\n2\n")
  assert.strictEqual(two, "# Page\n\n## One\n\n1\n\n## Two\n\n2\n")
  assert.strictEqual(withSection(two, "One", "## One\n\n3\n"), "# Page\n\n## One\n\n3\n\n## Two\n\n2\n")
})
