/** Crawl jobs. */
import * as Effect from "effect/Effect"
import { type CrawlRequest, type CrawlRequestV1, type Revisit, revisitHeader, writeRevisit } from "../Api/Crawl.ts"
import type { JobStarted } from "../Api/JobStatus.ts"
import { calls, keyHeaders } from "./Calls.ts"
import type { ClientError } from "./ClientErrors.ts"
import { Connection } from "./Connection.ts"
import { type JobOperations, operations, type StartOptions } from "./JobCalls.ts"

interface Start {
  (
    request: CrawlRequest,
    options?: StartOptions & {
      readonly version?: "v2" | undefined
      /** Which stored pages the local engine visits again; other services ignore this option and read every page. */
      readonly revisit?: Revisit | undefined
    }
  ): Effect.Effect<JobStarted, ClientError>
  (request: CrawlRequestV1, options: StartOptions & { readonly version: "v1" }): Effect.Effect<JobStarted, ClientError>
}

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
    const start: Start = Effect.fn("Crawl.start")(
      (
        payload: CrawlRequest | CrawlRequestV1,
        options: StartOptions & { readonly revisit?: Revisit | undefined } = {}
      ) => {
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
