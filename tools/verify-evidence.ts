import process from "node:process"
import { type Artifacts, readArtifacts } from "./verify-evidence/Artifacts.ts"
import { verifyArtifacts } from "./verify-evidence/Verification.ts"

const folder = process.argv[2]

const load = (): Artifacts | undefined => {
  if (folder === undefined || folder.startsWith("-")) {
    console.error("Usage: npm run verify-evidence -- DIR   (the folder that `npm run extract -- … --out DIR` wrote)")
    return undefined
  }
  try {
    return readArtifacts(folder)
  } catch (error) {
    console.error((error as Error).message)
    return undefined
  }
}

const artifacts = load()
if (artifacts === undefined) process.exitCode = 2
else {
  const report = verifyArtifacts(artifacts)
  for (const { message, pointer } of report.failures) {
    console.log(`FAILED ${pointer === "" ? "(result)" : pointer}: ${message}`)
  }
  console.log(`${report.proven} of ${report.spans} spans hold: their quotes, and what follows from them by rule`)
  console.log(
    `${report.leaves} leaves: ${report.leaves - report.unfilled} with evidence, ${report.unfilled} told as unfilled`
  )
  const { answers, classified, generated } = report.open
  console.log(
    `Not proven here, for it takes a judge: that the quotes answer their field (${answers}), `
      + `which label or yes or no a quote means (${classified}), that citations entail a text (${generated})`
  )
  if (report.failures.length > 0) process.exitCode = 1
}
