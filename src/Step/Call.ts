/** Shared code of steps that call the service. */
import * as Effect from "effect/Effect"
import type { Document } from "../Api/Document.ts"
import type { Keyed } from "../Client/Calls.ts"
import { type ClientError, NetworkError } from "../Client/ClientErrors.ts"
import { Attempts } from "../Client/RetryLoop.ts"
import { pageFault, reasonOf } from "../Client/Target.ts"
import { sha256 } from "../Row/Hash.ts"
import { canonicalUrl } from "../Row/Url.ts"
import type { Data, Row } from "../Row.ts"
import { type Context, type Page, type PageOutcome, StepError } from "../Step.ts"
import type { Cost } from "./Cost.ts"

/** Runs a call to the service, with failures as step errors. */
export const call = <A, R>(effect: Effect.Effect<A, ClientError, R>): Effect.Effect<A, StepError, R> =>
  Effect.mapError(effect, StepError.of)

/** Address of the page that a document was made from. */
export const addressOf = (document: Document): string | undefined =>
  document.metadata?.sourceURL ?? document.metadata?.url ?? undefined

/** Key of a page in the ledger: the requested address in canonical form. */
export const pageKey = (address: string): string => canonicalUrl(address) ?? address

/** Makes a row from a document. Its key is the canonical URL; `extra.source` is the data of the input row. */
export const documentRow = (document: Document, extra: Omit<Row, "data" | "key">): Row => {
  const address = addressOf(document)
  return { ...extra, data: document as Data, key: address === undefined ? undefined : canonicalUrl(address) }
}

/** Message about a page. Some errors already begin with its address. */
const about = (address: string | undefined, error: string): string =>
  address !== undefined && error.startsWith(`${address} `) ? error : `${address ?? "a page"}: ${error}`

/** Failure of a page because of the site's status code. */
const httpError = (address: string | undefined, status: number, error: unknown): StepError =>
  new StepError({
    reason: "HttpError",
    status,
    message: `${address ?? "a page"}: the site answered ${status}${typeof error === "string" && error !== "" ? ` (${error})` : ""}`
  })

/**
 * Failure of a page that a job lists as failed. If the text or the code names a fault, it has the reason of a failed call; engines list a
 * page by its status, as `HTTP_404`.
 */
export const pageFailed = (
  address: string | undefined,
  error: string,
  code?: string,
  otherwise = code ?? "PageFailed"
): StepError => {
  const status = /^HTTP_(\d{3})$/.exec(code ?? "")?.[1]
  if (status !== undefined) return httpError(address, Number(status), error)
  if (code === "BLOCKED") return new StepError({ reason: "Blocked", message: about(address, error) })
  const fault = pageFault(code, error)
  return new StepError({
    reason: fault === undefined ? otherwise : reasonOf(fault),
    message: about(address, error)
  })
}

/** Outcome of the attempt that gave this document. */
const outcomeOf = ({ metadata }: Document): PageOutcome => {
  const { code, error, retryAfter, statusCode } = metadata ?? {}
  return typeof statusCode === "number"
    ? {
        status: statusCode,
        fault: undefined,
        retryAfter: typeof retryAfter === "number" && retryAfter > 0 ? retryAfter : undefined
      }
    : { status: undefined, fault: typeof error === "string" ? pageFault(code, error) : undefined }
}

/** Why a page failed: the site did not answer, or with a status that the step's `failOn` names. */
export const failureOf = (document: Document, { failsOn }: Pick<Context, "failsOn">): StepError | undefined => {
  const { blocked, code, error, statusCode } = document.metadata ?? {}
  if (blocked != null && failsOn("blocked")) {
    // For a page that needs scripts to fill it, the warning says how to run them.
    const advice = blocked.kind === "javascript" && document.warning ? `. ${document.warning}` : ""
    return new StepError({
      reason: "Blocked",
      status: statusCode ?? undefined,
      message: `${addressOf(document) ?? "a page"}: ${error ?? `${blocked.kind} (${blocked.evidence})`}${advice}`
    })
  }
  if (typeof statusCode === "number") {
    return failsOn(statusCode) ? httpError(addressOf(document), statusCode, error) : undefined
  }
  return typeof error === "string" && error !== ""
    ? pageFailed(addressOf(document), error, typeof code === "string" ? code : undefined, "PageFailed")
    : undefined
}

/** Maximum characters of a warning in the ledger. */
const maxWarning = 1_000

/** Warns about the step's first file without readable text: a scan, or fonts without a character map. */
export const warnOfUnread = ({ metadata, ...document }: Document, { warnOnce }: Pick<Context, "warnOnce">) =>
  typeof metadata?.warning === "string"
    ? warnOnce(
        "unread",
        `${addressOf({ metadata, ...document }) ?? "a file"}: ${metadata.warning} Further files without readable text are not named here: sluice show --pages lists them`
      )
    : Effect.void

const contentOf = ({ fields, html, markdown, rawHtml, summary }: Document): string | undefined =>
  markdown ?? html ?? rawHtml ?? summary ?? (fields == null ? undefined : JSON.stringify(fields.rows))

/** Record of a document's page for the ledger. */
export const pageOf = (document: Document, key: string, failure: StepError | undefined, jobId?: string): Page => {
  const { blocked, check, creditsUsed, error, statusCode, unchanged, warning } = document.metadata ?? {}
  const content = contentOf(document)
  return {
    key,
    status: statusCode ?? undefined,
    error: typeof error === "string" && error !== "" ? error : failure?.message,
    blocked: blocked?.kind,
    unchanged: typeof unchanged === "string" ? unchanged : undefined,
    check: check === "confirmed" || check === "missed" ? check : undefined,
    warning: typeof warning === "string" && warning !== "" ? warning.slice(0, maxWarning) : undefined,
    hash: content === undefined ? undefined : sha256(content),
    jobId,
    credits: creditsUsed ?? undefined,
    price: creditsUsed != null ? "known" : jobId === undefined ? "unknown" : "shared"
  }
}

const isOutage = (error: unknown): boolean => error instanceof NetworkError

/**
 * Attempts at a page that gave no document. Errors that end the run say nothing about the page, except for the last error of an outage of
 * the service.
 */
const triesOf = (key: string, failures: ReadonlyArray<ClientError>, last: StepError | undefined): ReadonlyArray<Page> =>
  [
    ...failures.filter((error, index) => !isOutage(error) || index === failures.length - 1),
    ...(last === undefined || failures.some((error) => error === last.cause) ? [] : [last])
  ].flatMap((error) =>
    error.scope === "run" && !isOutage(error instanceof StepError ? error.cause : error)
      ? []
      : [{ key, error: error.message, price: "unknown" }]
  )

/**
 * Runs a call that returns one page, books its cost, and fails if the page has failed (`failOn`). If `retry` applies, it requests the page
 * again, each time as a separate paid call. `key` identifies the page in the ledger; for a file it is the hash of the content. `name`
 * distinguishes the calls of one task.
 */
export const paid = <R>(
  ask: (key: Keyed) => Effect.Effect<{ readonly data: Document }, StepError, R>,
  key: string,
  cost: Cost,
  context: Context,
  name?: string
): Effect.Effect<Document, StepError, R> =>
  Effect.flatMap(Attempts, (log) => {
    const note = (last?: StepError) =>
      Effect.suspend(() => {
        const tries = triesOf(key, log?.failures ?? [], last)
        if (log !== undefined) log.failures = []
        return tries.length === 0 ? Effect.void : context.tried(tries)
      })
    const attempt = (number: number): Effect.Effect<Document, StepError, R> =>
      context
        .once(
          {
            name: number === 1 ? name : `${name ?? "call"}-${number}`,
            buys: { cost: () => cost, pages: () => 1 },
            book: (document: Document) => ({
              credits: document.metadata?.creditsUsed ?? undefined,
              page: pageOf(document, key, failureOf(document, context))
            })
          },
          (idempotencyKey) => Effect.map(ask({ idempotencyKey }), ({ data }) => data)
        )
        .pipe(
          Effect.tapBoth({ onFailure: note, onSuccess: () => note() }),
          Effect.flatMap((document) =>
            Effect.flatMap(context.retryPage(outcomeOf(document)), (again) =>
              again
                ? attempt(number + 1)
                : (failureOf(document, context) ?? Effect.as(warnOfUnread(document, context), document))
            )
          )
        )
    return attempt(1)
  })
