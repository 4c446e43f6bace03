/** All services for the jobs of one store: jobs, results, worker pool, webhook delivery and janitor. */
import type * as Duration from "effect/Duration"
import { inOrder } from "../InOrder.ts"
import { Frontier } from "./Frontier.ts"
import * as Janitor from "./Janitor.ts"
import * as Jobs from "./Jobs.ts"
import { Results } from "./Results.ts"
import * as Delivery from "./WebhookDelivery.ts"
import * as WorkerPool from "./WorkerPool.ts"

export interface JobServicesOptions extends WorkerPool.WorkerPoolOptions {
  /** Time for which results are kept after the last change of their job. */
  readonly retention: Duration.Duration
  /** Creates ids for new jobs; random by default. */
  readonly newId?: (() => string) | undefined
  /** Time for which a job's row is kept after its results were deleted. */
  readonly remembered?: Duration.Duration | undefined
}

export const layer = ({ newId, remembered, retention, ...pool }: JobServicesOptions) =>
  inOrder(
    Frontier.Default,
    Results.Default,
    Jobs.layer(retention, newId),
    WorkerPool.layer(pool),
    Janitor.layer(retention, remembered),
    Delivery.layer()
  )
