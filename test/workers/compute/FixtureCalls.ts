import { Schema } from "effect"
import { computeCalls } from "../../../workers/compute/ComputeCall.ts"

const Nothing = Schema.Struct({})
const Pid = Schema.Struct({ pid: Schema.Int })

/** What `fixture-compute.ts` is asked and answers; `lie` and `gossip` do not keep to it. */
export const fixtureCalls = computeCalls({
  double: {
    input: Schema.Struct({ samples: Schema.instanceOf(Float32Array) }),
    output: Schema.Struct({ samples: Schema.instanceOf(Float32Array), pid: Schema.Int })
  },
  pid: { input: Nothing, output: Pid },
  given: { input: Nothing, output: Schema.Struct({ given: Schema.Array(Schema.String) }) },
  crash: { input: Nothing, output: Nothing },
  refuse: { input: Nothing, output: Nothing },
  lose: { input: Nothing, output: Nothing },
  stumble: { input: Nothing, output: Nothing },
  obey: { input: Nothing, output: Nothing },
  block: { input: Schema.Struct({ ms: Schema.Int }), output: Nothing },
  neighbour: {
    input: Schema.Struct({ file: Schema.String }),
    news: Schema.Struct({ tokens: Schema.Finite }),
    output: Schema.Struct({ second_time: Schema.Boolean, pid: Schema.Int })
  },
  lie: { input: Nothing, output: Schema.Struct({ words: Schema.Array(Schema.Struct({ text: Schema.String })) }) },
  gossip: { input: Nothing, news: Schema.Struct({ tokens: Schema.Finite }), output: Nothing },
  /** Opens a model that is none and runs it three times, twice for itself and once in a batch of two. */
  model: { input: Nothing, output: Nothing }
})

/** One that the process does not know. */
export const { nowhere } = computeCalls({ nowhere: { input: Nothing, output: Nothing } })
