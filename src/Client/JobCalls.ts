/** Calls that batch and crawl jobs share: status, cancel, errors, and a stream of documents. */
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Document } from "../Api/Document.ts"
import type { Calls, Keyed, Versioned } from "./Calls.ts"
import type { Connection } from "./Connection.ts"
import * as JobStream from "./JobStream.ts"

/** Options of a job's start; one that is repeated with the same key and body gives the same job. */
export interface StartOptions extends Versioned, Keyed {}

/** Page of the status to fetch. */
export interface PageOptions extends Versioned {
  readonly skip?: number | undefined
  readonly limit?: number | undefined
}

type JobCalls = Pick<
  Calls<"crawl"> & Calls<"batchScrape">,
  "status" | "statusV1" | "cancel" | "cancelV1" | "errors" | "errorsV1"
>

/** The operations of one kind of job; `kind` is its path. */
export const operations = (
  name: string,
  kind: "crawl" | "batch/scrape",
  api: JobCalls,
  connection: typeof Connection.Service
) => ({
  /** One page of the job's status; 100 documents, and at most about 10 MiB, unless `limit` says otherwise. */
  status: Effect.fn(`${name}.status`)((id: string, { version, skip, limit }: PageOptions = {}) => {
    const request = { path: { id }, urlParams: { skip, limit } }
    return version === "v1" ? api.statusV1(request) : api.status(request)
  }),
  /** Stops the job; a job that has ended is a `Conflict`. */
  cancel: Effect.fn(`${name}.cancel`)((id: string, { version }: Versioned = {}) =>
    version === "v1" ? api.cancelV1({ path: { id }, urlParams: {} }) : api.cancel({ path: { id }, urlParams: {} })
  ),
  /** The pages that failed, and those that robots.txt kept the job from. */
  errors: Effect.fn(`${name}.errors`)((id: string, { version }: Versioned = {}) =>
    version === "v1" ? api.errorsV1({ path: { id } }) : api.errors({ path: { id } })
  ),
  /** The job's documents with where they stand: one element for every answer, until the job has ended and all is read. */
  pages: (
    id: string,
    options?: JobStream.JobStreamOptions
  ): Stream.Stream<JobStream.JobPage, JobStream.JobStreamError> => JobStream.pages(connection, kind, id, options),
  /** The job's documents: each once, in order, one chunk for every page, in memory for one page. */
  stream: (id: string, options?: JobStream.JobStreamOptions): Stream.Stream<Document, JobStream.JobStreamError> =>
    JobStream.stream(connection, kind, id, options)
})
