/** Endpoints of every kind of job: start, status, cancel, errors. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import type * as Types from "../Generated/Api.ts"
import { charges, type Good } from "./Charges.ts"
import { anyOf, Conflict, InsufficientStorage, NotFound, TooLarge } from "./Errors.ts"
import { invalidJobId, JobId, typed } from "./Field.ts"
import { StartHeaders } from "./Idempotency.ts"
import { CancelQuery, JobCancelled, JobErrors, JobStarted, JobStatus, PageQuery } from "./JobStatus.ts"

type Path = HttpApiEndpoint.PathSegment

/** Reports an invalid id on the whole path, so that the message is the contract's and does not name the parameter. */
const path = Schema.Struct({ id: JobId }).annotations({ message: () => ({ message: invalidJobId, override: true }) })

export const start = <const Name extends string, A, I>(
  name: Name,
  url: Path,
  payload: Schema.Schema<A, I>,
  good: Good
) =>
  HttpApiEndpoint.post(name, url)
    .annotateContext(charges("lookup", good, "jsonFormat"))
    .setPayload(payload)
    .setHeaders(StartHeaders)
    .addSuccess(typed<Types.JobStarted>()(JobStarted))
    .addError(anyOf(NotFound, Conflict, TooLarge, InsufficientStorage))
    .annotate(OpenApi.Summary, "Start a job")

export const status = <const Name extends string>(name: Name, url: Path) =>
  HttpApiEndpoint.get(name, url)
    .annotateContext(charges("lookup"))
    .setPath(path)
    .setUrlParams(PageQuery)
    .addSuccess(typed<Types.JobStatus>()(JobStatus))
    .addError(NotFound.schema)
    .annotate(OpenApi.Summary, "Get the status of a job and a page of its documents")
    .annotate(
      OpenApi.Description,
      "Follow `next` until it is absent; a page has at most 10 MiB of JSON, or one document that is larger."
    )

export const cancel = <const Name extends string>(name: Name, url: Path) =>
  HttpApiEndpoint.del(name, url)
    .annotateContext(charges("lookup"))
    .setPath(path)
    .setUrlParams(CancelQuery)
    .addSuccess(typed<Types.JobCancelled>()(JobCancelled))
    .addError(anyOf(NotFound, Conflict))
    .annotate(OpenApi.Summary, "Cancel a running job, or delete the results of a job")

export const errors = <const Name extends string>(name: Name, url: Path) =>
  HttpApiEndpoint.get(name, url)
    .annotateContext(charges("lookup"))
    .setPath(path)
    .addSuccess(typed<Types.JobErrors>()(JobErrors))
    .addError(NotFound.schema)
    .annotate(OpenApi.Summary, "List the failed pages of a job")
