/** What the steps that call the service have in common. */
import * as Effect from "effect/Effect"
import type { Document } from "../Api/Document.ts"
import type { Keyed } from "../Client/Calls.ts"
import type { ClientError } from "../Client/Errors.ts"
import type { JobStreamError } from "../Client/JobStream.ts"
import { faultIn, faultOf, reasonOf } from "../Client/Target.ts"
import { sha256 } from "../Row/Hash.ts"
import { canonicalUrl } from "../Row/Url.ts"
import type { Data, Row } from "../Row.ts"
import { type Context, type Page, StepError } from "../Step.ts"

/** A failed call as the step's failure: the message says what to do, the tag is the reason. */
export const stepError = (error: JobStreamError): StepError =>
  new StepError({ reason: error._tag, message: error.message, cause: error })

/** Runs a call of the service. */
export const call = <A, R>(effect: Effect.Effect<A, ClientError, R>): Effect.Effect<A, StepError, R> =>
  Effect.mapError(effect, stepError)

/** The address a document stands for. */
export const addressOf = (document: Document): string | undefined =>
  document.metadata?.sourceURL ?? document.metadata?.url ?? undefined

/** What the ledger knows a page by: the address that was asked for, however it was spelt. */
export const pageKey = (address: string): string => canonicalUrl(address) ?? address

/** A document as a row; `source` is what it was made from. */
export const documentRow = (document: Document, extra: Omit<Row, "data" | "key">): Row => {
  const address = addressOf(document)
  return { ...extra, data: document as Data, key: address === undefined ? undefined : canonicalUrl(address) }
}

/** A page without an answer from its site: the reason is that of a failed call where the text or the code names a fault. */
export const pageFailed = (address: string | undefined, error: string, code?: string): StepError => {
  const fault = code === undefined ? faultIn(error) : faultOf(code, error)
  return new StepError({
    reason: fault === undefined ? (code ?? "PageFailed") : reasonOf(fault),
    message: `${address ?? "a page"}: ${error}`
  })
}

/** Why a page has no answer from its site; undefined when it has one, whatever its status. */
export const failureOf = (document: Document): StepError | undefined => {
  const { error, statusCode } = document.metadata ?? {}
  return typeof error === "string" && error !== "" && typeof statusCode !== "number"
    ? pageFailed(addressOf(document), error)
    : undefined
}

const contentOf = ({ html, markdown, rawHtml, summary }: Document): string | undefined =>
  markdown ?? html ?? rawHtml ?? summary ?? undefined

/** A document as a page of the ledger. */
export const pageOf = (document: Document, key: string, jobId?: string): Page => {
  const { creditsUsed, error, statusCode } = document.metadata ?? {}
  const content = contentOf(document)
  return {
    key,
    status: statusCode ?? undefined,
    error: typeof error === "string" && error !== "" ? error : undefined,
    hash: content === undefined ? undefined : sha256(content),
    jobId,
    credits: creditsUsed ?? undefined,
    price: creditsUsed != null ? "known" : jobId === undefined ? "unknown" : "shared"
  }
}

/**
 * Runs a call that answers with one page, books what it cost, and fails if the page has no answer from its site. `key` is
 * the page's in the ledger: of a file its content's hash.
 */
export const paid = <R>(
  ask: (key: Keyed) => Effect.Effect<{ readonly data: Document }, StepError, R>,
  key: string,
  context: Context
): Effect.Effect<Document, StepError, R> =>
  context
    .once(
      {
        book: (document: Document) => ({
          credits: document.metadata?.creditsUsed ?? undefined,
          page: pageOf(document, key)
        })
      },
      (idempotencyKey) => Effect.map(ask({ idempotencyKey }), ({ data }) => data)
    )
    .pipe(Effect.tap((document) => failureOf(document) ?? Effect.void))
