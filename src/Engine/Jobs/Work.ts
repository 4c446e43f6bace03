/** All that the jobs of one store need: they are started, worked on, read, told of, and in the end removed. */
import type * as Duration from "effect/Duration"
import * as Layer from "effect/Layer"
import * as Delivery from "../Webhook/Delivery.ts"
import { Frontier } from "./Frontier.ts"
import * as Janitor from "./Janitor.ts"
import * as Jobs from "./Jobs.ts"
import { Results } from "./Results.ts"
import * as WorkerPool from "./WorkerPool.ts"

export interface WorkOptions extends WorkerPool.CrewOptions {
  /** How long a job's results are kept after its last change. */
  readonly retention: Duration.Duration
  /** How long a job whose results are gone is known to have existed. */
  readonly remembered?: Duration.Duration | undefined
}

export const layer = ({ remembered, retention, ...crew }: WorkOptions) =>
  Layer.mergeAll(WorkerPool.layer(crew), Janitor.layer(retention, remembered), Delivery.layer()).pipe(
    Layer.provideMerge(Layer.mergeAll(Jobs.layer(retention), Frontier.Default, Results.Default))
  )
