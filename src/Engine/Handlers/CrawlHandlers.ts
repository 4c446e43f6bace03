/** Handlers of group `crawl`: crawl a site as one job. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Team } from "../../Api/Auth.ts"
import { type CrawlRequest, type CrawlRequestV1, readRevisit, revisitHeader } from "../../Api/Crawl.ts"
import { Api } from "../../Api.ts"
import { RateLimits } from "../Http/RateLimits.ts"
import type { Version } from "../Jobs/JobRecord.ts"
import { Jobs } from "../Jobs/Jobs.ts"
import { Webhooks } from "../Jobs/Webhook.ts"
import { DocumentThreads } from "../Scrape/DocumentThreads.ts"
import { repeat } from "../Usage/Idempotency.ts"
import * as Answer from "./JobAnswer.ts"
import * as Request from "./JobRequest.ts"
import { preview } from "./PreviewHandlers.ts"

const nothing = { params: {}, warning: undefined }

/** Derives parameters from the prompt. Counts against the concurrency limit of the key, because it maps the site and queries a model. */
const prompted = (url: string, prompt: string) =>
  Effect.flatMap(Effect.all([RateLimits, Team]), ([{ inTurn }, team]) => inTurn(team)(preview(url, prompt)))

const start = (
  version: Version,
  request: CrawlRequest | CrawlRequestV1,
  idempotencyKey: string | undefined,
  revisit?: string
) =>
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const team = yield* Team
    const options = Request.withRetention(
      request,
      version === 1 ? Request.readOptionsV1(request.scrapeOptions) : Request.readOptions(request.scrapeOptions)
    )
    yield* Request.refuseUnsupported(options)
    const { params, warning } = request.prompt === undefined ? nothing : yield* prompted(request.url, request.prompt)
    const crawl = yield* Request.readCrawl(request, params, options)
    const job = yield* jobs.start({
      team,
      kind: "crawl",
      version,
      url: crawl.start.href,
      spec: crawl.spec,
      revisit: revisit === undefined ? undefined : readRevisit(revisit),
      pages: crawl.pages,
      seeded: crawl.seeded,
      limit: crawl.spec.params.limit,
      invalidURLs: [],
      repeat: repeat(idempotencyKey, `v${version} crawl`, request),
      webhook: yield* Effect.flatMap(Webhooks, ({ accept }) => accept(request.webhook))
    })
    const started = yield* Answer.started("crawl", version, job)
    return {
      ...started,
      ...(revisit === undefined ? {} : { revisits: true }),
      ...(warning === undefined ? {} : { warning })
    }
  })

export const handlers = HttpApiBuilder.group(Api, "crawl", (group) =>
  group
    .handle("start", ({ payload, headers }) => start(2, payload, headers["x-idempotency-key"], headers[revisitHeader]))
    .handle("startV1", ({ payload, headers }) => start(1, payload, headers["x-idempotency-key"]))
    .handle("status", ({ path, urlParams }) => Answer.status("crawl", 2, path.id, urlParams))
    .handle("statusV1", ({ path, urlParams }) => Answer.status("crawl", 1, path.id, urlParams))
    .handle("cancel", ({ path, urlParams }) => Answer.cancelled("crawl", 2, path.id, urlParams))
    .handle("cancelV1", ({ path, urlParams }) => Answer.cancelled("crawl", 1, path.id, urlParams))
    .handle("errors", ({ path }) => Answer.errors("crawl", 2, path.id))
    .handle("errorsV1", ({ path }) => Answer.errors("crawl", 1, path.id))
).pipe(Layer.provide(DocumentThreads.Default))
