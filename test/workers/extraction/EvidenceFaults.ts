import type { Artifacts } from "../../../tools/verify-evidence/Artifacts.ts"
import { canBeDerived } from "../../../tools/verify-evidence/Derived.ts"
import { wordsAbout } from "../../../tools/verify-evidence/Leaves.ts"
import { openSources } from "../../../tools/verify-evidence/Sources.ts"
import { followsFrom } from "../../../tools/verify-evidence/Values.ts"
import type { Extracted } from "../../../workers/extraction/Extract.ts"
import type { Footage } from "./Footage.ts"

/** What does not hold of each span, judged by the program that ships for callers: it shares no line with what it checks. */
export const evidenceFaults = (
  out: Extracted,
  { frames, transcript, vision }: Footage,
  schema: object
): ReadonlyArray<string> => {
  const artifacts: Artifacts = {
    folder: "",
    job: {},
    result: out.result,
    schema,
    transcript,
    frames,
    vision,
    graph: out.graph,
    evidence: out.evidence
  }
  const opened = openSources(artifacts)
  return out.evidence.spans.flatMap((span) => {
    const cited = [opened.fault(span, span.origin_channel)]
    for (const other of span.corroborated_by) cited.push(opened.fault(other, other.origin_channel))
    if (span.grade === "default") return []
    for (const other of span.citations) cited.push(opened.fault(other, other.origin_channel))
    // What a span does not call derivable it claims nothing of.
    const follows = span.grade === "classified" || span.grade === "generated" || span.checks.derivable === false ||
      followsFrom(span.quote, span.value, span.support, wordsAbout(schema, span.pointer)) ||
      (span.grade === "computed" && canBeDerived(span, artifacts, opened))
    return [
      ...cited.filter((fault) => fault !== undefined),
      ...(follows ? [] : [`${span.quote} does not carry it as ${span.support}`])
    ]
      .map((fault) => `${span.pointer} = ${JSON.stringify(span.value)}: ${fault}`)
  })
}
