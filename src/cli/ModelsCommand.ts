import { Console, Context, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type FetchProgress, fetchStack } from "../model-stacks/FetchModels.ts"
import { lockStacks } from "../model-stacks/LockModels.ts"
import { memoryVerdict } from "../model-stacks/MemoryNeeded.ts"
import type { ModelStack } from "../model-stacks/ModelStack.ts"
import { ModelStore } from "../model-stacks/ModelStore.ts"
import { nameOf, neededFiles, optionalRoles } from "../model-stacks/StackFiles.ts"
import { megabytes, renderFetch, renderStack, renderStacks } from "./output/ModelTable.ts"
import { makeStatusLine } from "./output/ProgressBar.ts"
import { tryStack } from "./TryStack.ts"

/** Where progress is shown. */
export const StatusLine = Context.Reference("footnote/cli/ModelsCommand/StatusLine", {
  defaultValue: () => makeStatusLine(process.stderr)
})

/** Runs with a function that shows how far a fetch is, and takes the last of it away again. */
const showing = <A, E, R>(use: (progress: (state: FetchProgress) => void) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    StatusLine,
    (status) =>
      use((state) => status.draw(renderFetch(state, process.stderr.columns), `Fetching ${state.name}`)).pipe(
        Effect.ensuring(Effect.sync(status.clear))
      )
  )

/** `--with` names what the stack does not have. */
class NoSuchOption extends Schema.TaggedError<NoSuchOption>()("NoSuchOption", { message: Schema.String }) {}

/** Some files are missing or are not the locked ones; each has been told. */
class NotVerified extends Schema.TaggedError<NotVerified>()("NotVerified", { message: Schema.String }) {}

const chosen = Effect.fnUntraced(function*(stack: Option.Option<string>) {
  const store = yield* ModelStore
  return Option.isSome(stack) ? [yield* store.find(stack.value)] : store.stacks
})

const list = Effect.fn("list")(function*(stack: Option.Option<string>) {
  const store = yield* ModelStore
  if (Option.isSome(stack)) {
    const one = yield* store.find(stack.value)
    yield* Console.log(renderStack(yield* store.inspectWith(one, optionalRoles(one))))
    return yield* Console.log(`\n${memoryVerdict(yield* store.inspect(one)).message}`)
  }
  const states = yield* Effect.forEach(store.stacks, store.inspect)
  yield* Console.log(renderStacks(states))
  const auto = yield* Effect.option(store.choose("auto"))
  yield* Console.log(
    Option.isSome(auto) ? `\nauto takes ${auto.value.id}.` : "\nNo stack has all of its files: auto takes none."
  )
  yield* Console.log(`Files of the hub lie in ${store.options.store}.`)
})

const counted = (files: number): string => files === 1 ? "1 file has" : `${files} files have`

const lock = Effect.fn("lock")(function*(stack: Option.Option<string>, update: boolean) {
  const store = yield* ModelStore
  const stacks = yield* chosen(stack)
  const { pins, same } = yield* showing((progress) => lockStacks({ stacks, update, progress }))
  for (const { locked, name, revision } of pins) {
    yield* Console.log(`${name}\n  revision ${revision}\n  sha256 ${locked.sha256}, ${locked.size_bytes} bytes`)
  }
  if (same > 0) yield* Console.log(`${counted(same)} the very bytes that ${store.options.lock} pins.`)
  yield* Console.log(
    pins.length === 0 ? "Nothing new to lock." : `${pins.length} files newly locked in ${store.options.lock}.`
  )
})

/** What is to be fetched beside what a stack needs. */
const optionalOf = (stack: ModelStack, words: Option.Option<string>) => {
  const asked = Option.match(words, { onNone: () => [], onSome: (text) => text.split(",").map((one) => one.trim()) })
  const known: ReadonlyArray<string> = optionalRoles(stack)
  const strange = asked.filter((role) => !known.includes(role))
  if (strange.length === 0) return Effect.succeed(asked)
  const has = known.length === 0 ? "has none" : `has ${known.join(", ")}`
  return Effect.fail(
    new NoSuchOption({ message: `${strange.join(", ")} is no optional model of the stack ${stack.id}, which ${has}.` })
  )
}

const fetch = Effect.fn("fetch")(function*(stack: string, words: Option.Option<string>) {
  const store = yield* ModelStore
  const one = yield* store.find(stack)
  const optional = yield* optionalOf(one, words)
  const looked = yield* store.inspectWith(one, optional)
  const absent = looked.files.filter(({ state }) => state === "missing")
  if (absent.length > 0) {
    const wanted = absent.reduce((sum, { size_bytes }) => sum + (size_bytes ?? 0), 0)
    yield* Console.log(
      `${absent.length === 1 ? "1 file" : `${absent.length} files`} to fetch, ${megabytes(wanted)}. ${
        memoryVerdict(looked).message
      }`
    )
  }
  const fetched = yield* showing((progress) => fetchStack(stack, progress, optional))
  const bytes = fetched.reduce((sum, { size_bytes }) => sum + (size_bytes ?? 0), 0)
  yield* Console.log(
    fetched.length === 0
      ? `Every file of ${stack} is here.`
      : `${fetched.length} files fetched and verified, ${megabytes(bytes)}: ${stack} is ready.`
  )
})

const verify = Effect.fn("verify")(function*(stack: Option.Option<string>) {
  const store = yield* ModelStore
  let [right, wrong] = [0, 0]
  const seen = new Set<string>()
  const looked = yield* Effect.forEach(yield* chosen(stack), (one) => store.inspectWith(one, optionalRoles(one)))
  for (const { files, stack: one } of looked) {
    const { id } = one
    const needed = new Set(neededFiles(one).map(nameOf))
    for (const file of files) {
      // Without a stack named, what was never fetched is no fault, nor is it where the stack is ready without.
      const absent = file.state === "missing" || file.state === "unlocked"
      const spared = Option.isNone(stack) || !needed.has(file.name)
      if (seen.has(file.name) || (spared && "hub" in file.file && absent)) continue
      seen.add(file.name)
      const outcome = file.state === "unlocked"
        ? `${file.name} is not locked. Run npm run models -- lock ${id}.`
        : yield* store.verify(file, id).pipe(
          Effect.as(undefined),
          Effect.catch((error) => Effect.succeed(error.message))
        )
      if (outcome === undefined) right++
      else {
        wrong++
        yield* Console.error(outcome)
      }
    }
  }
  if (wrong > 0) return yield* new NotVerified({ message: `${wrong} of ${right + wrong} files are not right.` })
  yield* Console.log(`${right} files verified.`)
})

const anyStack = Argument.String("stack").pipe(Argument.withDescription("One stack; without it all"), Argument.optional)
const oneFile = Argument.String("file").pipe(Argument.withDescription("A video or sound of some seconds"))
const oneStack = Argument.String("stack").pipe(Argument.withDescription("Which stack, as list shows them"))

const command = Command.make("models").pipe(
  Command.withDescription(
    "Models that jobs run on: which stacks there are, what pins them (models/lock.json), and their files on this machine"
  ),
  Command.withSubcommands([
    Command.make("list", { stack: anyStack }, ({ stack }) => list(stack)).pipe(
      Command.withDescription("Show the stacks, or one stack with its models, licences and files")
    ),
    Command.make(
      "lock",
      {
        stack: anyStack,
        update: Flag.Boolean("update").pipe(
          Flag.withDescription("Move to the hub's newest revision instead of keeping what is locked"),
          Flag.withDefault(false)
        )
      },
      ({ stack, update }) => lock(stack, update)
    ).pipe(
      Command.withDescription("Fetch and compare every file with its pin, refuse a difference, and pin what has none")
    ),
    Command.make(
      "fetch",
      {
        stack: oneStack,
        optional: Flag.String("with").pipe(
          Flag.withDescription("Optional models to bring as well, by role, with commas: reader,search"),
          Flag.optional
        )
      },
      ({ optional, stack }) => fetch(stack, optional)
    ).pipe(
      Command.withDescription("Bring the locked files of a stack here; resumes what was interrupted")
    ),
    Command.make("verify", { stack: anyStack }, ({ stack }) => verify(stack)).pipe(
      Command.withDescription("Hash the files again and compare them with what is locked")
    ),
    Command.make("try", { stack: oneStack, file: oneFile }, ({ file, stack }) => tryStack(stack, file)).pipe(
      Command.withDescription(
        "Run one job on a stack and report in one screen which models ran, how fast, and what they found"
      )
    )
  ])
)

/**
 * `npm run models` with these words. Prints what it did; fails with the sentence that says what is wrong and what to do, a
 * `CliError` where the words are no command.
 */
export const runModels = (words: ReadonlyArray<string>) => Command.runWith(command, { version: "0.1.0" })(words)
