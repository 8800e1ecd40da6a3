import { Layer } from "effect"
import { DeliveryQueue } from "../deliveries/queue/DeliveryQueue.ts"
import { Queue } from "../queue/Queue.ts"
import { Signals } from "../queue/Signals.ts"
import { Charges } from "../usage/ledger/Charges.ts"
import { Admission } from "./engine/Admission.ts"
import { BatchEnds } from "./engine/BatchEnds.ts"
import { FairRelease } from "./engine/FairRelease.ts"
import { Intake } from "./engine/Intake.ts"
import { Janitor } from "./engine/Janitor.ts"
import { JobEvents } from "./engine/JobEvents.ts"
import { RenderTasks } from "./engine/RenderTasks.ts"
import { Tasks } from "./engine/Tasks.ts"
import { Transitions } from "./engine/Transitions.ts"
import { Jobs } from "./Jobs.ts"

/** What moves jobs, over one database: needs `PgClient`, `SqlClient` and, for the janitor, `Database`. */
const moving = Admission.layer.pipe(
  Layer.provideMerge(Transitions.layer.pipe(Layer.provide(Charges.layer))),
  Layer.provideMerge(BatchEnds.layer),
  Layer.provideMerge(DeliveryQueue.layerHooks),
  Layer.provideMerge(DeliveryQueue.layer),
  Layer.provideMerge(RenderTasks.layer),
  Layer.provideMerge(FairRelease.layer),
  Layer.provideMerge(JobEvents.layer),
  Layer.provideMerge(Queue.layer),
  Layer.provideMerge(Signals.layer)
)

/** Everything, and nothing that runs by itself: for tests and benchmarks, which call the janitor's duties themselves. */
export const layer = Layer.mergeAll(
  Jobs.layer.pipe(Layer.provide(Intake.layer)),
  Tasks.layer,
  Janitor.layer
).pipe(Layer.provideMerge(moving))

/** What the API process needs: `Jobs`, `DeliveryQueue` for deliveries on request, and its turn as the janitor. */
export const layerApi = Layer.mergeAll(
  Jobs.layer.pipe(Layer.provide(Intake.layer)),
  Janitor.layerRunning
).pipe(Layer.provideMerge(moving))

/** What a worker process needs: `Tasks`, `Signals`, and its turn as the janitor. */
export const layerWorker = Layer.mergeAll(Tasks.layer, Janitor.layerRunning).pipe(Layer.provideMerge(moving))
