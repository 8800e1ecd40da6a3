import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import type { ResolvedModel } from "../../src/model-stacks/ResolvedStack.ts"
import { OnnxModelError } from "./OnnxSession.ts"

/** For a stack that names a driver which does not do what its role is for. */
export const noDriver = (role: string, { driver, name }: ResolvedModel) =>
  new OnnxModelError(`The model ${name} wants the driver ${driver}, which is none for ${role}`)

/** The path of a model's file by its key in the stack. Throws `OnnxModelError` where the stack does not list it. */
export const fileOf = ({ driver, files, name }: ResolvedModel, key: string): string => {
  const file = files[key]
  if (file === undefined) {
    throw new OnnxModelError(`The model ${name} lacks the file ${key} that the driver ${driver} needs`)
  }
  return file
}

/** A model's name and the start of the SHA-256 of one of its files. Throws `OnnxModelError` when it cannot be read. */
export const versionOf = async (model: ResolvedModel, key: string): Promise<string> => {
  const path = fileOf(model, key)
  let digest = model.sha256[key]
  if (digest === undefined) {
    try {
      digest = createHash("sha256").update(await readFile(path)).digest("hex")
    } catch (cause) {
      throw new OnnxModelError(`Model file ${path} cannot be read`, { cause })
    }
  }
  return `${model.name}@${digest.slice(0, 12)}`
}
