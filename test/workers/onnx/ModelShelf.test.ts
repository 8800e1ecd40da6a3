import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { makeModelShelf } from "../../../workers/onnx/ModelShelf.ts"

/** Models that only tell what happens to them. */
const makeWorkshop = () => {
  const log: Array<string> = []
  let open = 0
  let most = 0
  return {
    log,
    most: () => most,
    opened: () => open,
    make: async (role: string) => {
      log.push(`open ${role}`)
      if (role.startsWith("bad")) throw new Error(role)
      most = Math.max(most, ++open)
      return {
        role,
        [Symbol.asyncDispose]: async () => {
          log.push(`close ${role}`)
          open--
        }
      }
    }
  }
}

const nothing = () => Promise.resolve()
const reasonOf = (promise: Promise<unknown>) => promise.then(() => null, (error: unknown) => (error as Error).message)

describe("ModelShelf", () => {
  it("opens a model once and keeps it for the next calls", async () => {
    const workshop = makeWorkshop()
    const shelf = makeModelShelf(workshop.make, 2)
    for (const role of ["a", "b", "a", "b", "a"]) {
      assert.strictEqual(await shelf.use(role, async ({ role }) => role), role)
    }
    await Promise.all([shelf.use("a", nothing), shelf.use("a", nothing)])
    assert.deepStrictEqual(workshop.log, ["open a", "open b"])
  })

  it("disposes of the model that was used longest ago before it opens another", async () => {
    const workshop = makeWorkshop()
    const shelf = makeModelShelf(workshop.make, 2)
    for (const role of ["a", "b", "a", "c", "a", "b"]) await shelf.use(role, nothing)
    assert.deepStrictEqual(workshop.log, ["open a", "open b", "close b", "open c", "close c", "open b"])
  })

  it("lets a call wait while every model is in use, and takes no model away from under a call", async () => {
    const workshop = makeWorkshop()
    const shelf = makeModelShelf(workshop.make, 1)
    const [held, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = shelf.use("a", async () => {
      held.resolve()
      await done.promise
      workshop.log.push("done with a")
    })
    await held.promise
    const second = shelf.use("b", nothing)
    done.resolve()
    await Promise.all([first, second])
    assert.deepStrictEqual(workshop.log, ["open a", "done with a", "close a", "open b"])
  })

  it("rejects what cannot be opened, keeps no place for it and tries again", async () => {
    const workshop = makeWorkshop()
    const shelf = makeModelShelf(workshop.make, 1)
    const both = [shelf.use("bad", nothing), shelf.use("bad", nothing)]
    assert.deepStrictEqual(await Promise.all(both.map(reasonOf)), ["bad", "bad"])
    assert.strictEqual(await reasonOf(shelf.use("bad", nothing)), "bad")
    await shelf.use("a", nothing)
    assert.deepStrictEqual(workshop.log, ["open bad", "open bad", "open a"])
  })

  it("lets a cancelled call go at once, whether it waits for a place or for a model", async () => {
    const never = new Promise<never>(() => {})
    const shelf = makeModelShelf((): Promise<AsyncDisposable> => never, 1)
    const [opening, waiting] = [new AbortController(), new AbortController()]
    const first = reasonOf(shelf.use("a", nothing, opening.signal))
    const second = reasonOf(shelf.use("b", nothing, waiting.signal))
    waiting.abort(new Error("second gone"))
    assert.strictEqual(await second, "second gone")
    opening.abort(new Error("first gone"))
    assert.strictEqual(await first, "first gone")
  })

  it("never has more models open than it may, whatever is asked for at the same time", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.constantFrom("a", "b", "c", "d", "bad"), { maxLength: 30 }),
        fc.scheduler(),
        async (most, roles, scheduler) => {
          const workshop = makeWorkshop()
          const shelf = makeModelShelf(workshop.make, most)
          const answers = Promise.allSettled(
            roles.map((role) => shelf.use(role, (model) => scheduler.schedule(Promise.resolve(model.role))))
          )
          await scheduler.waitFor(answers)
          for (const [i, answer] of (await answers).entries()) {
            const right = roles[i] === "bad" ? answer.status === "rejected" : answer.status === "fulfilled"
            assert.isTrue(right, roles[i])
          }
          assert.isAtMost(workshop.most(), most)
          assert.isAtMost(workshop.opened(), most)
        }
      ),
      { numRuns: 200 }
    ))
})
