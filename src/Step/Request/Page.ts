/** One page of an API: the request as a row makes it, and the rows of its answer. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { sensitiveHeader } from "../../Client/Recording/Mask.ts"
import type { Bindings } from "../../Row/Expression.ts"
import { keptAsString } from "../../Row/Integers.ts"
import type { Data, Row } from "../../Row.ts"
import type { Failure } from "../../Step.ts"
import { addSecret } from "../../Telemetry/Redaction.ts"
import type { Context } from "../Context.ts"
import { expressionFailed, type PerRow } from "../Field.ts"
import { failedRow } from "../Read/Decoder.ts"
import { StepError } from "../StepError.ts"
import type { Config } from "./Config.ts"
import { decode, formatOf, quoted } from "./Decode.ts"
import { type Answered, type Ask, type Place, whatIsMissing } from "./Next.ts"
import type { Outgoing, Received } from "./Send.ts"

type Values<A> = Readonly<Record<string, PerRow<A>>>

const valuesOf = <A>(fields: Values<A>, row: Row, bindings: Bindings): Effect.Effect<Record<string, A>, StepError> =>
  Effect.map(
    Effect.forEach(Object.entries(fields), ([name, value]) =>
      Effect.map(value.of(row, bindings), (each) => [name, each] as const)
    ),
    Object.fromEntries
  )

const scalarsOf = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).flatMap((each: unknown) =>
    each === null || each === undefined ? [] : [textOf(each)]
  )

/** A value in a query or a form. A cursor may be an object. */
const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

const withParameters = (parameters: URLSearchParams, fields: Readonly<Record<string, unknown>>): URLSearchParams => {
  for (const [name, value] of Object.entries(fields)) {
    parameters.delete(name)
    for (const each of scalarsOf(value)) parameters.append(name, each)
  }
  return parameters
}

/** The body with a value at a path, whose objects are made where they are missing. */
const withValue = (body: unknown, [first = "", ...rest]: ReadonlyArray<string>, value: unknown): unknown => {
  const fields = typeof body === "object" && body !== null && !Array.isArray(body) ? body : {}
  const own = Object.hasOwn(fields, first) ? (fields as Data)[first] : undefined
  return { ...fields, [first]: rest.length === 0 ? value : withValue(own, rest, value) }
}

/** A request as a row makes it, before it is asked for a certain page. */
export interface Prepared {
  readonly url: string
  readonly json: unknown
  readonly form: string | undefined
  readonly body: string | undefined
}

/** Evaluates the fields of the step for a row. */
export const prepare = ({ body, form, graphql, headers, json, query, url }: Config, row: Row, bindings: Bindings) =>
  Effect.gen(function* () {
    const to = new URL(yield* url.of(row, bindings))
    to.hash = ""
    if (to.username !== "" || to.password !== "") {
      const message = `the address of ${to.host} holds a password, which would be shown: write auth: { basic: { user, password } }`
      return yield* new StepError({ reason: "PasswordInUrl", message })
    }
    for (const [name, value] of Object.entries(headers ?? {}))
      if (sensitiveHeader.test(name)) addSecret(value.slice(value.indexOf(" ") + 1))
    if (query !== undefined) withParameters(to.searchParams, yield* valuesOf(query, row, bindings))
    const fields = form === undefined ? undefined : yield* valuesOf(form, row, bindings)
    const prepared: Prepared = {
      url: to.href,
      json:
        graphql === undefined
          ? json && (yield* valuesOf(json, row, bindings))
          : { query: graphql.query, variables: yield* valuesOf(graphql.variables ?? {}, row, bindings) },
      form: fields && withParameters(new URLSearchParams(), fields).toString(),
      body: body && (yield* body.of(row, bindings))
    }
    return prepared
  })

/** A value that is sent with a request: of `next`, or of `since`. */
interface Sent {
  readonly param?: string | undefined
  readonly body?: string | undefined
  readonly value: unknown
}

/** The request with a value in its query or in its JSON. Variables of GraphQL are meant by their names. */
const withSent = (prepared: Prepared, { body, param, value }: Sent, isGraphql: boolean): Prepared => {
  if (value === undefined) return prepared
  if (param !== undefined) {
    const url = new URL(prepared.url)
    withParameters(url.searchParams, { [param]: value })
    return { ...prepared, url: url.href }
  }
  if (body === undefined) return prepared
  const path = body.split(".")
  return {
    ...prepared,
    json: withValue(prepared.json, isGraphql && path[0] !== "variables" ? ["variables", ...path] : path, value)
  }
}

/** Comments, strings, brackets and names of GraphQL. */
const graphqlToken = /#[^\n\r]*|"""(?:\\"""|[\s\S])*?"""|"(?:\\.|[^"\\\n\r])*"|[{}()]|[$@]?\w+/g

/** True for a document with a mutation, wherever in it. */
const hasMutation = (document: string): boolean => {
  let depth = 0
  for (const [token] of document.matchAll(graphqlToken)) {
    if (token === "{" || token === "(") depth++
    else if (token === "}" || token === ")") depth--
    else if (depth === 0 && token === "mutation") return true
  }
  return false
}

/** The request for a page. */
export const outgoingOf = (
  config: Config,
  prepared: Prepared,
  ask: Ask,
  from: string | number | undefined
): Outgoing => {
  const { graphql, headers = {}, next, since, timeout } = config
  const isGraphql = graphql !== undefined
  // The address of a next page has all parameters of the first one.
  const first =
    ask.url === undefined ? withSent(prepared, { ...since, value: from }, isGraphql) : { ...prepared, url: ask.url }
  const { json, url, ...rest } = withSent(
    first,
    { ...(next?.cursor ?? next?.page ?? next?.offset), value: ask.value },
    isGraphql
  )
  const [body, type] =
    json !== undefined
      ? [JSON.stringify(json), "application/json"]
      : rest.form !== undefined
        ? [rest.form, "application/x-www-form-urlencoded"]
        : [rest.body, undefined]
  const method = config.method ?? (body === undefined ? "GET" : "POST")
  return {
    method,
    url,
    headers: type === undefined ? headers : { "content-type": type, ...headers },
    body,
    // A list that is paged, and a query of GraphQL, change nothing.
    isRead: method === "GET" || (method === "POST" && (isGraphql ? !hasMutation(graphql.query) : next !== undefined)),
    timeout
  }
}

/** Rows of a page, failed ones apart. */
export interface Page {
  readonly answered: Answered
  readonly rows: ReadonlyArray<Row>
  readonly failures: ReadonlyArray<Failure>
}

const invalid = (url: string, problem: string, text: string) =>
  new StepError({
    reason: "AnswerInvalid",
    message: `${url}: the answer ${problem}. It begins with ${JSON.stringify(quoted(text).slice(0, 200).trim())}`
  })

const isObject = (value: unknown): value is Data => typeof value === "object" && value !== null && !Array.isArray(value)

const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`

const keysOf = (value: unknown): string =>
  isObject(value) ? `an object with ${Object.keys(value).slice(0, 8).join(", ") || "no fields"}` : kindOf(value)

/** A GraphQL service answers 200 for a query that has failed. */
const graphqlFailure = (url: string, body: unknown): StepError | undefined => {
  if (!isObject(body) || !Array.isArray(body.errors) || body.errors.length === 0 || isObject(body.data))
    return undefined
  const [first] = body.errors as ReadonlyArray<unknown>
  const said = isObject(first) && typeof first.message === "string" ? first.message : JSON.stringify(first)
  return new StepError({ reason: "GraphQLError", message: `${url}: the query has failed (${quoted(said)})` })
}

/** Reads the rows of an answer. */
export const pageOf = (
  { auth, format, graphql, rows: expression }: Config,
  received: Received,
  row: Row | undefined,
  bindings: Bindings,
  context: Context,
  { page }: Place
): Effect.Effect<Page, StepError> =>
  Effect.gen(function* () {
    const { headers, stray, text, url } = received
    const contentType = headers["content-type"] ?? ""
    if (stray === true) {
      yield* context.warnOnce("encoding", `${url} has bytes that are not in its encoding: they became �`)
    }
    const isEmpty = text.trim() === ""
    const how = isEmpty
      ? Either.right("json" as const)
      : format === undefined
        ? formatOf(contentType, text)
        : Either.right(format)
    const decoded = Either.flatMap(how, (each) => decode(each, text, contentType))
    if (Either.isLeft(decoded)) return yield* invalid(url, decoded.left, text)
    const { kept, malformed, value: body } = decoded.right
    if (kept !== undefined) yield* context.warnOnce("integers", keptAsString(url, kept))
    const failed = graphql === undefined ? undefined : graphqlFailure(url, body)
    if (failed !== undefined) return yield* failed
    const names = { ...bindings, names: { ...bindings.names, headers } }
    const found =
      expression === undefined || isEmpty
        ? body
        : yield* Effect.mapError(expression.evaluate(body, names), expressionFailed)
    if (found === undefined && expression !== undefined && !isEmpty) {
      const missing = whatIsMissing(expression, { body, headers })
      if (missing !== undefined && page === 0) {
        const message = `${url}: rows (${expression.source}) gives nothing: ${missing}. If the API leaves it out where there are no rows, write ${expression.source} ?? []`
        return yield* new StepError({ reason: "RowsMissing", message })
      }
      // Some APIs leave the field out of a last page without rows.
      yield* context.warnOnce(
        "rows",
        `${url}: rows (${expression.source}) gives nothing, and the answer is ${keysOf(body)}`
      )
    }
    const all: ReadonlyArray<unknown> = Array.isArray(found)
      ? found
      : found === undefined || found === null
        ? []
        : [found]
    const rows: Array<Row> = []
    const failures: Array<Failure> = malformed.map((line) => failedRow(url, line))
    all.forEach((data, position) => {
      if (isObject(data)) rows.push({ data, position, source: row?.data })
      else {
        failures.push([
          { data: { url, value: data }, key: `${url}#${position}`, position, source: row?.data },
          new StepError({
            reason: "NotAnObject",
            message: `${url}: row ${position + 1} is ${kindOf(data)}, and a row is an object: make one, like rows: items.{ "value": $ }`
          })
        ])
      }
    })
    // A line that cannot be read may have been any row.
    if (malformed.length > 0) yield* context.incomplete("unread")
    const keys = Object.keys(auth?.query ?? {})
    return { answered: { url, headers, body, rows: all, bindings: names, keys }, rows, failures }
  })
