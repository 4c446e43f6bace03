/** Handlers of group `batchScrape`: scrape many pages as one job. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import { Team } from "../../Api/Auth.ts"
import type { BatchRequest, BatchRequestV1 } from "../../Api/BatchScrape.ts"
import { Api } from "../../Api.ts"
import type { Version } from "../Jobs/JobRecord.ts"
import { Jobs } from "../Jobs/Jobs.ts"
import { Webhooks } from "../Jobs/Webhook.ts"
import { invalid } from "../ScrapeOptions.ts"
import { repeat } from "../Usage/Idempotency.ts"
import * as Answer from "./JobAnswer.ts"
import * as Request from "./JobRequest.ts"

const start = (version: Version, request: BatchRequest | BatchRequestV1, idempotencyKey: string | undefined) =>
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const team = yield* Team
    const options = Request.withRetention(
      request,
      version === 1 ? Request.readOptionsV1(request) : Request.readOptions(request)
    )
    yield* Request.refuseUnsupported(options)
    const once = repeat(idempotencyKey, `v${version} batch`, request)
    const { pages, invalidURLs } = yield* Request.readUrls(request)
    if (request.appendToId !== undefined) {
      if (request.webhook !== undefined)
        return yield* invalid(
          "webhook",
          "a webhook can be set only when a job starts: leave webhook out, or start another job"
        )
      const { maxConcurrency } = request
      const options = {
        ...Request.namedOptions(version, request),
        ...(maxConcurrency === undefined ? {} : { maxConcurrency })
      }
      const more = { pages, invalidURLs, options, repeat: once }
      return yield* Answer.started("batch", version, yield* jobs.append(team, request.appendToId, more))
    }
    const job = yield* jobs.start({
      team,
      kind: "batch",
      version,
      url: pages[0]?.address.href ?? "",
      spec: { options, maxConcurrency: request.maxConcurrency },
      pages,
      seeded: true,
      limit: pages.length,
      invalidURLs,
      repeat: once,
      webhook: yield* Effect.flatMap(Webhooks, ({ accept }) => accept(request.webhook))
    })
    return yield* Answer.started("batch", version, job)
  })

export const handlers = HttpApiBuilder.group(Api, "batchScrape", (group) =>
  group
    .handle("start", ({ payload, headers }) => start(2, payload, headers["x-idempotency-key"]))
    .handle("startV1", ({ payload, headers }) => start(1, payload, headers["x-idempotency-key"]))
    .handle("status", ({ path, urlParams }) => Answer.status("batch", 2, path.id, urlParams))
    .handle("statusV1", ({ path, urlParams }) => Answer.status("batch", 1, path.id, urlParams))
    .handle("cancel", ({ path, urlParams }) => Answer.cancelled("batch", 2, path.id, urlParams))
    .handle("cancelV1", ({ path, urlParams }) => Answer.cancelled("batch", 1, path.id, urlParams))
    .handle("errors", ({ path }) => Answer.errors("batch", 2, path.id))
    .handle("errorsV1", ({ path }) => Answer.errors("batch", 1, path.id))
)
