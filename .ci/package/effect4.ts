/** A program on Effect 4 that runs a pipeline of Sluice. */
import * as Effect from "effect/Effect"
import { createPipeline, type Summary } from "sluice/promise"

export const program: Effect.Effect<Summary> = Effect.promise((signal) =>
  createPipeline("pipeline.yaml").run({ signal })
)
