import { Effect, Schema } from "effect"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { type ModelFile, ModelStack, type StackModel } from "./ModelStack.ts"
import { StackFileInvalid } from "./ModelStoreError.ts"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(ModelStack), { onExcessProperty: "error" })

/** Every stack of a folder, lowest rank first. Fails with the file's name where one is not a stack or is misnamed. */
export const readStacks = Effect.fn("readStacks")(function*(folder: string) {
  const names = yield* Effect.tryPromise({
    try: () => readdir(folder),
    catch: (error) => new StackFileInvalid({ message: `The model stacks cannot be read: ${String(error)}` })
  })
  const stacks: Array<ModelStack> = []
  for (const name of names.filter((name) => name.endsWith(".json")).toSorted()) {
    const file = join(folder, name)
    const stack = yield* Effect.tryPromise(() => readFile(file, "utf8")).pipe(
      Effect.flatMap(decode),
      Effect.mapError((error) => new StackFileInvalid({ message: `${file} is not a model stack: ${error.message}` }))
    )
    if (name !== `${stack.id}.json`) {
      return yield* new StackFileInvalid({ message: `${file} holds the stack ${stack.id}: name it ${stack.id}.json` })
    }
    stacks.push(stack)
  }
  return stacks.toSorted((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1))
})

/** The models of a stack with their roles, in the order of the file. */
export const modelsOf = (stack: ModelStack): ReadonlyArray<readonly [string, StackModel]> =>
  Object.entries(stack.roles).filter((entry): entry is [string, StackModel] => entry[1] !== undefined)

/** Every file of a stack once, whichever roles share it. */
export const filesOf = (stack: ModelStack): ReadonlyArray<ModelFile> => {
  const files = modelsOf(stack).flatMap(([, model]) => Object.values(model.files))
  return [...new Map(files.map((file) => [nameOf(file), file])).values()]
}

/** How messages name a file: `hub:owner/name/path`, `npm:package/path`, or the path in this repository. */
export const nameOf = (file: ModelFile): string =>
  "hub" in file ? `hub:${file.hub}/${file.path}` : "npm" in file ? `npm:${file.npm}/${file.path}` : file.repository
