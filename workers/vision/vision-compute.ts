import sharp from "sharp"
import { roundSeconds } from "../../src/artifacts/Moment.ts"
import type { TenantId } from "../../src/identity/Id.ts"
import type { ModelRun } from "../../src/jobs/model/Provenance.ts"
import type { ResolvedModel } from "../../src/model-stacks/ResolvedStack.ts"
import { openingModel } from "../compute/CallSpans.ts"
import { serve } from "../compute/serve.ts"
import { makeSharedTime } from "../compute/SharedTime.ts"
import { deviceOfProcess } from "../onnx/Device.ts"
import { makeModelShelf } from "../onnx/ModelShelf.ts"
import type { FrameDescriber } from "./description/DescribeFrame.ts"
import { type Describer, NotDescribed } from "./description/Describer.ts"
import type { ObjectDetector } from "./objects/ObjectDetector.ts"
import { loadPicture } from "./picture/Picture.ts"
import { visionCalls } from "./VisionCalls.ts"
import { openDescriberOf, openDetectorOf, openReaderOf } from "./VisionDrivers.ts"
import { isRules } from "./VisionRoles.ts"

// One picture at a time: sharp's own threads and its cache would only take memory from the models.
sharp.cache(false)
sharp.concurrency(1)

/** Open models of each role: one for the jobs at hand and one for a neighbour's on another stack. */
const KEPT = 2
const device = deviceOfProcess()
const readers = makeModelShelf(openingModel("ocr", openReaderOf), KEPT)
const detectors = makeModelShelf(openingModel("objects", openDetectorOf), KEPT)
const describers = makeModelShelf(
  openingModel("describe", (role: ResolvedModel) => openDescriberOf(role, device)),
  KEPT
)
const describing = makeSharedTime()

/** Text comes in many sizes, one line at a time: a GPU would gain nothing by it. */
const onCpu = (role: string, name: string): ModelRun => ({ role, name, execution_provider: "cpu" })

type Answer = { readonly sentence: string; readonly describer: Describer } | { readonly refusal: string }

const sayOf = async (
  describer: Describer,
  { path, tenant_id }: { readonly path: string; readonly tenant_id: TenantId },
  signal: AbortSignal
): Promise<Answer> => {
  try {
    const picture = await loadPicture(path)
    return { sentence: await describer.describe(picture, { tenant_id, signal }), describer }
  } catch (error) {
    if (error instanceof NotDescribed) return { refusal: error.message }
    throw error
  }
}

serve(visionCalls, {
  describe: async (input, signal) => {
    const { path, roles } = input
    const look = (reader: FrameDescriber, detector: ObjectDetector | null, describer: Describer | null) =>
      describing.measure(async () => ({
        seen: await reader.describe(path, signal, detector),
        answer: describer === null ? null : await sayOf(describer, input, signal)
      }))
    const { seconds, value: { answer, seen } } = await readers.use(
      roles.ocr,
      (reader) => {
        const detected = (detector: ObjectDetector | null) =>
          isRules(roles.describe)
            ? look(reader, detector, null)
            : describers.use(roles.describe, (describer) => look(reader, detector, describer), signal)
        return roles.objects === undefined ? detected(null) : detectors.use(roles.objects, detected, signal)
      },
      signal
    )
    const models = [
      onCpu("ocr", roles.ocr.name),
      onCpu("describe", "footnote-rules"),
      ...(roles.objects === undefined ? [] : [onCpu("objects", roles.objects.name)])
    ]
    const model_seconds = roundSeconds(seconds)
    if (answer === null) return { picture: seen, refusal: null, model_seconds, models }
    if ("refusal" in answer) return { picture: seen, refusal: answer.refusal, model_seconds, models }
    const { execution_provider, name } = answer.describer
    return {
      // What was measured stays beside what a model says: the one is checked, the other is its word.
      picture: {
        ...seen,
        description: `${answer.sentence} ${seen.description}`,
        model_sentence: answer.sentence
      },
      refusal: null,
      model_seconds,
      models: [...models, { role: "describe", name, execution_provider }]
    }
  }
})
