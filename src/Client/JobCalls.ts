/** Operations that batch and crawl jobs share: status, cancel, errors, and the stream of documents. */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Document, JobCancelled, JobErrors, JobStatus } from "../Generated/Api.ts"
import * as Trace from "../Telemetry/Trace.ts"
import type { Calls, Keyed, Versioned } from "./Calls.ts"
import type { ClientError } from "./ClientErrors.ts"
import type { Connection } from "./Connection.ts"
import * as JobStream from "./JobStream.ts"

/** Options for starting a job. Repeating a start with the same key and body returns the same job. */
export interface StartOptions extends Versioned, Keyed {}

/** Selects the page of documents that a status contains. */
export interface PageOptions extends Versioned {
  /** Number of documents to skip before this page of results. Default: 0. */
  readonly skip?: number | undefined
  /** Maximum number of documents of the page, 1 to 1000. Default: 100. */
  readonly limit?: number | undefined
}

type JobCalls = Pick<
  Calls<"crawl"> & Calls<"batchScrape">,
  "status" | "statusV1" | "cancel" | "cancelV1" | "errors" | "errorsV1"
>

/** Operations on the jobs of one kind. */
export interface JobOperations {
  /** Status of the job, with one page of its documents: 100 unless `limit` says otherwise, and at most about 10 MiB of JSON. */
  readonly status: (id: string, options?: PageOptions) => Effect.Effect<JobStatus, ClientError>
  /** Stops the job. Its results stay. Fails with `Conflict` when it has ended. */
  readonly cancel: (id: string, options?: Versioned) => Effect.Effect<JobCancelled, ClientError>
  /** Pages of the job that failed, and URLs that robots.txt disallows. */
  readonly errors: (id: string, options?: Versioned) => Effect.Effect<JobErrors, ClientError>
  /** Streams the documents with the progress of the job: one element per response, until the job has ended and everything is read. */
  readonly pages: (
    id: string,
    options?: JobStream.JobStreamOptions
  ) => Stream.Stream<JobStream.JobPage, JobStream.JobStreamError>
  /** Streams the documents: each once, in order, in one chunk per page. Ends when the job has ended and everything is read. */
  readonly stream: (
    id: string,
    options?: JobStream.JobStreamOptions
  ) => Stream.Stream<Document, JobStream.JobStreamError>
}

/** Operations of one kind of job. `kind` is its path. */
export const operations = (
  name: string,
  kind: "crawl" | "batch/scrape",
  api: JobCalls,
  connection: typeof Connection.Service
): JobOperations => ({
  status: Trace.fn(`${name}.status`)((id: string, { version, skip, limit }: PageOptions = {}) => {
    const request = { path: { id }, urlParams: { skip, limit } }
    return version === "v1" ? api.statusV1(request) : api.status(request)
  }),
  cancel: Trace.fn(`${name}.cancel`)((id: string, { version }: Versioned = {}) =>
    version === "v1" ? api.cancelV1({ path: { id }, urlParams: {} }) : api.cancel({ path: { id }, urlParams: {} })
  ),
  errors: Trace.fn(`${name}.errors`)((id: string, { version }: Versioned = {}) =>
    version === "v1" ? api.errorsV1({ path: { id } }) : api.errors({ path: { id } })
  ),
  pages: (id, options) => JobStream.pages(connection, kind, id, options),
  stream: (id, options) => JobStream.stream(connection, kind, id, options)
})
