/** `batchStatus` and `crawlStatus`: read the pages of a job that was started elsewhere. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { JobId } from "../Api/Field.ts"
import { BatchScrape } from "../Client/BatchScrape.ts"
import { Crawl } from "../Client/Crawl.ts"
import * as Step from "../Step.ts"
import { requestPerRead } from "./Estimate.ts"
import { perRow } from "./Field.ts"
import { type Bounds, jobRows } from "./JobRows.ts"
import { type Fields, mapping } from "./Requirements.ts"
import { foreign } from "./ResumableJob.ts"

const config = Schema.Struct({
  id: Schema.propertySignature(perRow(JobId)).annotations({ description: "Id of the job." }),
  version: Schema.optionalWith(Schema.Literal("v1", "v2"), { default: () => "v2" as const }).annotations({
    description: "Version of the API that the job was started with."
  })
})

const example = (key: string) => `${key}: { id: 01890f47-3c4b-7aee-8b2e-6a1d0f1c2b3a }`

/** Note on the price in a plan. */
const note = "reading a job costs nothing; what the job has cost is counted by the run"

/** Reads a batch scrape or crawl that was started elsewhere, so it is never cancelled. */
const attach =
  (Client: typeof BatchScrape | typeof Crawl, bounds: Bounds) =>
  ({ id, version }: typeof config.Type, context: Step.Context, { from, row = { data: {} } }: Step.Begin) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const client = yield* Client
        const job = yield* id.of(row, context.bindings(row))
        return jobRows(
          {
            job: foreign(job),
            pages: (position) => client.pages(job, { version, from: position }),
            errors: client.errors(job, { version }),
            bounds
          },
          context,
          from
        )
      })
    )

export const batchStatus = Step.make({
  key: "batchStatus",
  summary: "Attaches to a batch scrape by its id and gives its pages as rows until it ends.",
  example: example("batchStatus"),
  config,
  service: { request: "GET /v2/batch/scrape/{id}", documented: true },
  estimate: requestPerRead,
  note,
  behaviour: {
    kind: "source",
    pages: true,
    read: attach(BatchScrape, {})
  }
})

export const crawlStatus = Step.make({
  key: "crawlStatus",
  summary: "Attaches to a crawl by its id and gives its pages as rows until it ends.",
  example: example("crawlStatus"),
  config,
  service: (fields: Fields) =>
    mapping(fields).version === "v1"
      ? { request: "GET /v1/crawl/{id}", documented: true }
      : { request: "GET /v2/crawl/{id}", documented: false },
  estimate: requestPerRead,
  note,
  behaviour: {
    kind: "source",
    pages: true,
    read: attach(Crawl, { isUnknown: true })
  }
})
