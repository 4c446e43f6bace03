/** Crawl jobs. */
import * as Effect from "effect/Effect"
import { type CrawlRequest, type CrawlRequestV1, type Revisit, revisitHeader, writeRevisit } from "../Api/Crawl.ts"
import type { JobStarted } from "../Api/JobStatus.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { calls, keyHeaders, type PaidCall } from "./Calls.ts"
import { Connection } from "./Connection.ts"
import { type JobOperations, operations, type StartOptions } from "./JobCalls.ts"

interface Options {
  /** Which stored pages the local engine visits again; other services ignore this option and read every page. */
  readonly revisit?: Revisit | undefined
}

type Start = PaidCall<CrawlRequest, CrawlRequestV1, JobStarted, Options>

interface CrawlOperations extends JobOperations {
  /** Starts a crawl. Returns its id at once. */
  readonly start: Start
}

/**
 * Crawls a site in one job: starts it, follows its status, streams its documents, cancels it. Errors: `ClientError`, and `JobFailed` from
 * streams.
 */
export class Crawl extends Effect.Service<Crawl>()("sluice/Client/Crawl", {
  effect: Effect.gen(function* () {
    const api = yield* calls("crawl")
    const start: Start = Trace.fn("Crawl.start")(
      (payload: CrawlRequest | CrawlRequestV1, options: StartOptions & Options = {}) => {
        const request = { payload, headers: keyHeaders(options) }
        if (options.version === "v1") return api.startV1(request)
        const { revisit } = options
        return api.start(
          revisit === undefined
            ? request
            : { payload, headers: { ...request.headers, [revisitHeader]: writeRevisit(revisit) } }
        )
      }
    )
    const service: CrawlOperations = { start, ...operations("Crawl", "crawl", api, yield* Connection) }
    return service
  })
}) {}
