import { assert, describe, it } from "@effect/vitest"
import { memoryNeeded, memoryVerdict } from "../../src/model-stacks/MemoryNeeded.ts"
import type { StackState } from "../../src/model-stacks/ModelStore.ts"
import { hubStack, repository } from "./StackFolder.ts"

const nameOf = (path: string) => `hub:${repository}/${path}`

/** A stack of files with these lengths, whose optional language model holds 1,200 MB beside its weights. */
const stateOf = (lengths: Readonly<Record<string, number | null>>): StackState => {
  const stack = hubStack("made", 1, ["model.onnx"])
  const reader = {
    ...stack.roles.asr,
    optional: true,
    working_mb: 1200,
    files: { model: { hub: repository, path: "reader.gguf" } }
  }
  return {
    stack: { ...stack, roles: { ...stack.roles, reader } },
    ready: true,
    files: Object.entries(lengths).map(([path, size_bytes]) => ({
      file: { hub: repository, path },
      name: nameOf(path),
      size_bytes,
      locked: null,
      path: null,
      state: "ready"
    }))
  }
}

describe("memoryNeeded", () => {
  const service = memoryNeeded(stateOf({}))

  it("grows with the weights that are looked at, and with what a language model holds beside its own", () => {
    const heard = memoryNeeded(stateOf({ "model.onnx": 1e9 }))
    assert.isAbove(heard, service + 1e9)
    const read = memoryNeeded(stateOf({ "model.onnx": 1e9, "reader.gguf": 2e9 }))
    assert.strictEqual(Math.round(read - heard), 3_200_000_000)
  })

  it("counts nothing for a file whose length nobody knows yet", () => {
    assert.strictEqual(memoryNeeded(stateOf({ "model.onnx": null })), service)
  })
})

describe("memoryVerdict", () => {
  it("says what a stack needs and what is here, and what to do where that is too little", () => {
    const state = stateOf({ "model.onnx": 4e9 })
    assert.deepStrictEqual(memoryVerdict(state, 16e9), {
      enough: true,
      message: "The service on made needs about 7.2 GB of memory; this machine has 16.0 GB."
    })
    const small = memoryVerdict(state, 4e9)
    assert.isFalse(small.enough)
    assert.match(small.message, /7\.2 GB of memory, and this machine has 4\.0 GB: .*smaller stack/u)
  })
})
