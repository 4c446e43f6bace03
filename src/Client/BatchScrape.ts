/** Batch jobs. */
import * as Effect from "effect/Effect"
import type { BatchRequest, BatchRequestV1 } from "../Api/BatchScrape.ts"
import type { JobStarted } from "../Api/JobStatus.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { calls, keyHeaders, type PaidCall } from "./Calls.ts"
import { Connection } from "./Connection.ts"
import { type JobOperations, operations, type StartOptions } from "./JobCalls.ts"

type Start = PaidCall<BatchRequest, BatchRequestV1, JobStarted>

interface BatchScrapeOperations extends JobOperations {
  /** Starts a job over at most 100,000 URLs. Returns its id at once. */
  readonly start: Start
}

/**
 * Scrapes many pages in one job: starts it, follows its status, streams its documents, cancels it. Errors: `ClientError`, and `JobFailed`
 * from streams.
 */
export class BatchScrape extends Effect.Service<BatchScrape>()("sluice/Client/BatchScrape", {
  effect: Effect.gen(function* () {
    const api = yield* calls("batchScrape")
    const start: Start = Trace.fn("BatchScrape.start")(
      (payload: BatchRequest | BatchRequestV1, options: StartOptions = {}) => {
        const request = { payload, headers: keyHeaders(options) }
        return options.version === "v1" ? api.startV1(request) : api.start(request)
      }
    )
    const service: BatchScrapeOperations = {
      start,
      ...operations("BatchScrape", "batch/scrape", api, yield* Connection)
    }
    return service
  })
}) {}
