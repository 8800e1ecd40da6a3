import { Effect, Schema } from "effect"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { type ModelFile, ModelRole, ModelStack, type StackModel } from "./ModelStack.ts"
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

const onceEach = (models: ReadonlyArray<readonly [string, StackModel]>): ReadonlyArray<ModelFile> => {
  const files = models.flatMap(([, model]) => Object.values(model.files))
  return [...new Map(files.map((file) => [nameOf(file), file])).values()]
}

/** Every file of a stack once, whichever roles share it; those of optional models too. */
export const filesOf = (stack: ModelStack): ReadonlyArray<ModelFile> => onceEach(modelsOf(stack))

/** Files without which a stack is not ready, and with these of its optional models. */
export const neededFiles = (stack: ModelStack, optional: ReadonlyArray<string> = []): ReadonlyArray<ModelFile> =>
  onceEach(modelsOf(stack).filter(([role, model]) => model.optional !== true || optional.includes(role)))

/** Roles of a stack that it is ready without. */
export const optionalRoles = (stack: ModelStack): ReadonlyArray<ModelRole> =>
  ModelRole.literals.filter((role) => stack.roles[role]?.optional === true)

/** What to run for an optional model whose files are not here. */
export const notFetched = (id: string, role: string): string =>
  `The ${role} of the model stack ${id} is not here: npm run models -- fetch ${id} --with ${role}.`

/** How messages name a file: `hub:owner/name/path`, `npm:package/path`, or the path in this repository. */
export const nameOf = (file: ModelFile): string =>
  "hub" in file ? `hub:${file.hub}/${file.path}` : "npm" in file ? `npm:${file.npm}/${file.path}` : file.repository
