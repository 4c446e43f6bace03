/** GraphQL: detects mutations, and reads the errors that a service sends with status 200. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { isReadonlyRecord } from "effect/Predicate"
import { StepError } from "../StepError.ts"
import type { Config } from "./Config.ts"
import { quoted } from "./Decode.ts"

/** Matches comments, strings, brackets and names in GraphQL. */
const graphqlToken = /#[^\n\r]*|"""(?:\\"""|[\s\S])*?"""|"(?:\\.|[^"\\\n\r])*"|[{}()]|[$@]?\w+/g

/** True for a document that contains a mutation anywhere. */
export const hasMutation = (document: string): boolean => {
  let depth = 0
  for (const [token] of document.matchAll(graphqlToken)) {
    if (token === "{" || token === "(") depth++
    else if (token === "}" || token === ")") depth--
    else if (depth === 0 && token === "mutation") return true
  }
  return false
}

/** First error of a GraphQL query, which the service reports with status 200; undefined if there is none. */
export const graphqlError = (body: unknown): string | undefined => {
  if (!isReadonlyRecord(body) || !Array.isArray(body.errors) || body.errors.length === 0) return undefined
  const [first] = body.errors as ReadonlyArray<unknown>
  return quoted(isReadonlyRecord(first) && typeof first.message === "string" ? first.message : JSON.stringify(first))
}

const limits: ReadonlySet<unknown> = new Set(["THROTTLED", "RATE_LIMIT", "RATE_LIMITED"])

/** True for an answer without data whose errors say that the service limits requests, in the manner of Shopify or GitHub. */
export const isThrottled = (text: string): boolean => {
  // An answer without data is short, so no other one is parsed twice.
  if (text.length > 16_384 || !/"(?:THROTTLED|RATE_LIMIT(?:ED)?)"/.test(text)) return false
  const body = Either.getOrUndefined(Either.try((): unknown => JSON.parse(text)))
  if (!isReadonlyRecord(body) || !Array.isArray(body.errors)) return false
  const isEmpty = !isReadonlyRecord(body.data) || Object.values(body.data).every((value) => value === null)
  return (
    isEmpty &&
    body.errors.some(
      (each: unknown) =>
        isReadonlyRecord(each) &&
        (limits.has(each.type) || (isReadonlyRecord(each.extensions) && limits.has(each.extensions.code)))
    )
  )
}

export const graphqlFailure = (url: string, said: string) =>
  new StepError({ reason: "GraphQLError", message: `${url}: the query has failed (${said})` })

/** Fails for a GraphQL query without data, before its rows are looked for. */
export const checkData = ({ graphql }: Config, body: unknown, url: string): Effect.Effect<void, StepError> => {
  const said = graphql === undefined ? undefined : graphqlError(body)
  return said === undefined || (isReadonlyRecord(body) && isReadonlyRecord(body.data))
    ? Effect.void
    : graphqlFailure(url, said)
}
