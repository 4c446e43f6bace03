/** Operations that batch and crawl jobs share: status, cancel, errors, and the stream of documents. */
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Document } from "../Api/Document.ts"
import type { Calls, Keyed, Versioned } from "./Calls.ts"
import type { Connection } from "./Connection.ts"
import * as JobStream from "./JobStream.ts"

/** Options of a job's start. A start that is repeated with the same key and body returns the same job. */
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

/** Operations of one kind of job. `kind` is its path. */
export const operations = (
  name: string,
  kind: "crawl" | "batch/scrape",
  api: JobCalls,
  connection: typeof Connection.Service
) => ({
  /** Status of the job, with one page of its documents: 100 unless `limit` says otherwise, and at most about 10 MiB of JSON. */
  status: Effect.fn(`${name}.status`)((id: string, { version, skip, limit }: PageOptions = {}) => {
    const request = { path: { id }, urlParams: { skip, limit } }
    return version === "v1" ? api.statusV1(request) : api.status(request)
  }),
  /** Stops the job. Its results stay. Fails with `Conflict` when it has ended. */
  cancel: Effect.fn(`${name}.cancel`)((id: string, { version }: Versioned = {}) =>
    version === "v1" ? api.cancelV1({ path: { id }, urlParams: {} }) : api.cancel({ path: { id }, urlParams: {} })
  ),
  /** Pages of the job that failed, and URLs that robots.txt disallows. */
  errors: Effect.fn(`${name}.errors`)((id: string, { version }: Versioned = {}) =>
    version === "v1" ? api.errorsV1({ path: { id } }) : api.errors({ path: { id } })
  ),
  /** The documents with the progress of the job: one element per response, until the job has ended and everything is read. */
  pages: (
    id: string,
    options?: JobStream.JobStreamOptions
  ): Stream.Stream<JobStream.JobPage, JobStream.JobStreamError> => JobStream.pages(connection, kind, id, options),
  /** The documents: each once, in order, in one chunk per page. Ends when the job has ended and everything is read. */
  stream: (id: string, options?: JobStream.JobStreamOptions): Stream.Stream<Document, JobStream.JobStreamError> =>
    JobStream.stream(connection, kind, id, options)
})
