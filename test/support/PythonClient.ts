import { execFile, spawnSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const folder = fileURLToPath(new URL("../../clients/python", import.meta.url))

const probe =
  "import sys, anyio, httpx, mypy, pydantic, pytest; sys.exit(pydantic.VERSION < '2' or sys.version_info < (3, 10))"

const has = (python: string): boolean => spawnSync(python, ["-c", probe]).status === 0

/** The first python3 with what the client's tests need, or undefined, which is printed. */
export const python = [join(folder, ".venv/bin/python"), "python3", "/usr/bin/python3"].find(has)

if (python === undefined) {
  process.stdout.write(
    "The Python client is not tested: no python3 has httpx, pydantic 2, pytest and mypy (clients/python/requirements-test.txt).\n"
  )
}

/** Runs a module there; fails with all that it printed where it does not end with 0. */
export const runPython = async (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): Promise<string> => {
  try {
    const { stdout } = await promisify(execFile)(python ?? "python3", args, {
      cwd: folder,
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", ...env }
    })
    return stdout
  } catch (error) {
    const { stderr = "", stdout = "" } = error as { readonly stdout?: string; readonly stderr?: string }
    throw new Error(`python ${args.join(" ")}\n${stdout}\n${stderr}`, { cause: error })
  }
}
