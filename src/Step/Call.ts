/** What the steps that call the service have in common. */
import * as Effect from "effect/Effect"
import type { Document } from "../Api/Document.ts"
import type { ClientError } from "../Client/Errors.ts"
import type { JobStreamError } from "../Client/JobStream.ts"
import { canonicalUrl } from "../Row/Url.ts"
import type { Data, Row } from "../Row.ts"
import { type Context, StepError } from "../Step.ts"

/** A failed call as the step's failure: the message says what to do, the tag is the reason. */
export const stepError = (error: JobStreamError): StepError =>
  new StepError({ reason: error._tag, message: error.message, cause: error })

/** Runs a call of the service. */
export const call = <A, R>(effect: Effect.Effect<A, ClientError, R>): Effect.Effect<A, StepError, R> =>
  Effect.mapError(effect, stepError)

/** The address a document stands for. */
export const addressOf = (document: Document): string | undefined =>
  document.metadata?.sourceURL ?? document.metadata?.url ?? undefined

/** A document as a row; `source` is what it was made from. */
export const documentRow = (document: Document, extra: Omit<Row, "data" | "key">): Row => {
  const address = addressOf(document)
  return { ...extra, data: document as Data, key: address === undefined ? undefined : canonicalUrl(address) }
}

/** Why a page has no answer from its site; undefined when it has one, whatever its status. */
export const failureOf = (document: Document): StepError | undefined => {
  const { error, statusCode } = document.metadata ?? {}
  return typeof error === "string" && error !== "" && typeof statusCode !== "number"
    ? new StepError({ reason: "PageFailed", message: `${addressOf(document) ?? "a page"}: ${error}` })
    : undefined
}

/** Runs a call that answers with one page, books what it cost, and fails if the page has no answer from its site. */
export const paid = <R>(
  effect: Effect.Effect<{ readonly data: Document }, ClientError, R>,
  context: Context
): Effect.Effect<Document, StepError, R> =>
  call(effect).pipe(
    Effect.map(({ data }) => data),
    Effect.tap((document) => context.spend(document.metadata?.creditsUsed ?? undefined)),
    Effect.tap((document) => failureOf(document) ?? Effect.void)
  )
