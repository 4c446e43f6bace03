/** One page of an API: makes the request from a row, and reads the rows of the response. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { sensitiveHeader } from "../../Client/Recording/Mask.ts"
import type { Bindings } from "../../Row/Expression.ts"
import { sha256 } from "../../Row/Hash.ts"
import { keptAsString } from "../../Row/Integers.ts"
import { setParameter } from "../../Row/Query.ts"
import type { Data, Row } from "../../Row.ts"
import type { Failure } from "../../Step.ts"
import { addSecret } from "../../Telemetry/Redaction.ts"
import type { Context } from "../Context.ts"
import { expressionFailed, type PerRow } from "../Field.ts"
import { failedRow, type Malformed } from "../Read/Decoder.ts"
import type { ScratchFile, ScratchFolder } from "../Scratch.ts"
import { StepError } from "../StepError.ts"
import { type AnswerExpression, plainPath, whatIsMissing } from "./AnswerExpression.ts"
import { bodyPaths, pathOf, pathProblem, withValue } from "./BodyPath.ts"
import type { Config } from "./Config.ts"
import { decode, formatOf, isUnicode, maxSize, quoted, textOf as textIn } from "./Decode.ts"
import type { Outgoing, Received } from "./Exchange.ts"
import { checkData, graphqlError, graphqlFailure, hasMutation, isThrottled } from "./GraphQl.ts"
import { type LargeAnswer, readFile, readLarge } from "./Large.ts"
import type { Answered, Ask, Place } from "./Next.ts"

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

/** Value in a query or form. A cursor may be an object. */
const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

const formOf = (fields: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => scalarsOf(value).map((each): [string, string] => [name, each]))
  ).toString()

const setParameters = (url: URL, fields: Readonly<Record<string, unknown>>): void => {
  for (const [name, value] of Object.entries(fields)) setParameter(url, name, scalarsOf(value))
}

/** Request made from a row, before it is adapted to a certain page. */
export interface Prepared {
  readonly url: string
  readonly json: unknown
  readonly form: string | undefined
  readonly body: string | undefined
}

/** Evaluates the fields of the step for a row. */
export const prepare = (config: Config, row: Row, bindings: Bindings) =>
  Effect.gen(function* () {
    const { body, form, graphql, headers, json, query, url } = config
    const to = new URL(yield* url.of(row, bindings))
    to.hash = ""
    if (to.username !== "" || to.password !== "") {
      const message = `the address of ${to.host} contains a password, which messages would show: write auth: { basic: { user, password } }`
      return yield* new StepError({ reason: "PasswordInUrl", message })
    }
    for (const [name, value] of Object.entries(headers ?? {}))
      if (sensitiveHeader.test(name)) addSecret(value.slice(value.indexOf(" ") + 1))
    if (query !== undefined) setParameters(to, yield* valuesOf(query, row, bindings))
    const fields = form === undefined ? undefined : yield* valuesOf(form, row, bindings)
    const prepared: Prepared = {
      url: to.href,
      json:
        graphql === undefined
          ? json && (yield* valuesOf(json, row, bindings))
          : { query: graphql.query, variables: yield* valuesOf(graphql.variables ?? {}, row, bindings) },
      form: fields && formOf(fields),
      body: body && (yield* body.of(row, bindings))
    }
    for (const { field, path } of bodyPaths(config)) {
      const problem = pathProblem(prepared.json, path)
      const message = `${to.href}: ${field.join(".")} cannot be sent, because ${problem}`
      if (problem !== undefined) return yield* new StepError({ reason: "BodyPathInvalid", scope: "step", message })
    }
    return prepared
  })

/** Value sent with a request, from `next` or `since`. */
interface Sent {
  readonly param?: string | undefined
  readonly body?: string | undefined
  readonly value: unknown
}

/** Adds a value to the query or the JSON of a request. For GraphQL, names refer to variables. */
const withSent = (prepared: Prepared, { body, param, value }: Sent, isGraphql: boolean): Prepared => {
  if (value === undefined) return prepared
  if (param !== undefined) {
    const url = new URL(prepared.url)
    setParameters(url, { [param]: value })
    return { ...prepared, url: url.href }
  }
  if (body === undefined) return prepared
  return { ...prepared, json: withValue(prepared.json, pathOf(body, isGraphql), value) }
}

const methodOf = ({ body, form, graphql, json, method }: Config): Outgoing["method"] =>
  method ?? ((json ?? form ?? body ?? graphql) === undefined ? "GET" : "POST")

/** True if the calls change nothing: paged lists and GraphQL queries do not, even if they are sent as POST. */
export const isRead = (config: Config): boolean => {
  const { graphql, next } = config
  const method = methodOf(config)
  return (
    method === "GET" ||
    (method === "POST" && (graphql === undefined ? next !== undefined : !hasMutation(graphql.query)))
  )
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
  const begun = withSent(prepared, { ...since, value: from }, isGraphql)
  // The address of a next page already has all parameters of the first one, but not its body.
  const first = ask.url === undefined ? begun : { ...begun, url: ask.url }
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
  return {
    method: methodOf(config),
    url,
    headers: type === undefined ? headers : { "content-type": type, ...headers },
    body,
    isRead: isRead(config),
    isThrottled: isGraphql && isRead(config) ? isThrottled : undefined,
    timeout
  }
}

/** Rows of a page, and failed rows separately. */
export interface Page {
  readonly answered: Answered
  readonly rows: ReadonlyArray<Row>
  readonly failures: ReadonlyArray<Failure>
  /** False if the answer may lack rows: then the list is incomplete, and `since` stays. */
  readonly isWhole: boolean
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

/** Decoded response, and its position in the list. */
type Found = Pick<Answered, "body" | "headers" | "url"> & Pick<Place, "page">

/** Handles a response in which `rows` finds nothing: fails on the first page. False if it is not just a page without rows. */
const missingRows = (
  expression: typeof AnswerExpression.Type | undefined,
  { body, headers, page, url }: Found,
  context: Context
): Effect.Effect<boolean, StepError> => {
  if (expression === undefined || body === undefined) {
    const message = `${url}: page ${page + 1} has an empty body, so rows may be missing. If the list ends like this, write rows: ${expression?.source ?? "$"} ?? []`
    return Effect.as(context.warnOnce("rows", message), false)
  }
  const missing = whatIsMissing(expression, { body, headers })
  const advice = `If the API leaves it out where there are no rows, write ${expression.source} ?? []`
  if (missing !== undefined && page === 0) {
    const message = `${url}: rows (${expression.source}) gives nothing: ${missing}. ${advice}`
    return new StepError({ reason: "RowsMissing", message })
  }
  const isWhole = missing === undefined && (typeof body === "object" || page === 0)
  const nothing = `${url}: rows (${expression.source}) gives nothing, and the answer is ${keysOf(body)}`
  // Some APIs omit the field on a last page without rows, and others report an error like this.
  const message = isWhole ? nothing : `${nothing}, so rows may be missing. ${advice}`
  return Effect.as(context.warnOnce("rows", message), isWhole)
}

/**
 * Checks the number of values that `rows` found in a response, undefined for nothing: fails if the service reports an error in their
 * place. False if rows may be missing although the read goes on; then the step is marked as incomplete.
 */
const checkRows = (
  { graphql, rows: expression, since }: Config,
  found: number | undefined,
  answer: Found,
  context: Context
): Effect.Effect<boolean, StepError> =>
  Effect.gen(function* () {
    const { body, url } = answer
    const said = graphql === undefined ? undefined : graphqlError(body)
    if (said !== undefined) {
      if (found === undefined || found === 0) return yield* graphqlFailure(url, said)
      const staying = since === undefined ? "" : "; since keeps its value, and the next run asks again"
      const message = `${url}: the answer has errors (${said}), so rows or their fields may be missing${staying}`
      yield* context.warnOnce("graphql", message)
      yield* context.incomplete("failed")
      return false
    }
    const isWhole = found !== undefined || (yield* missingRows(expression, answer, context))
    if (!isWhole) yield* context.incomplete("unknown")
    return isWhole
  })

/** Values that `rows` found in a response; undefined if it found nothing. */
const valuesIn = (found: unknown): ReadonlyArray<unknown> | undefined =>
  found === undefined ? undefined : Array.isArray(found) ? found : found === null ? [] : [found]

/** Turns values of a response into rows; `before` is the number of earlier rows. */
const rowsOf = (
  values: ReadonlyArray<unknown>,
  malformed: ReadonlyArray<Malformed>,
  { before, row, url }: { readonly url: string; readonly row: Row | undefined; readonly before: number }
): Pick<Page, "rows" | "failures"> => {
  const rows: Array<Row> = []
  const failures: Array<Failure> = malformed.map((line) => failedRow(url, line))
  for (const [index, data] of values.entries()) {
    const position = before + index
    if (isObject(data)) {
      rows.push({ data, position, source: row?.data })
      continue
    }
    const message = `${url}: row ${position + 1} is ${kindOf(data)}, but a row must be an object: make one, like rows: items.{ "value": $ }`
    const failed = { data: { url, value: data }, key: `${url}#${position}`, position, source: row?.data }
    failures.push([failed, new StepError({ reason: "NotAnObject", message })])
  }
  return { rows, failures }
}

const hintIn = (url: string, hint: string): string => `${url}: the answer is CSV, and ${hint}`

/** Reads the rows of a response. */
export const pageOf = (
  config: Config,
  received: Received,
  row: Row | undefined,
  bindings: Bindings,
  context: Context,
  { page }: Place
): Effect.Effect<Page, StepError> =>
  Effect.gen(function* () {
    const { auth, delimiter, format, rows: expression } = config
    const { headers, status, stray, text, url } = received
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
    const decoded = Either.flatMap(how, (each) => decode(each, text, contentType, delimiter))
    if (Either.isLeft(decoded)) return yield* invalid(url, decoded.left, text)
    const { hint, kept, malformed, value: body } = decoded.right
    if (kept !== undefined) yield* context.warnOnce("integers", keptAsString(url, kept))
    if (hint !== undefined) yield* context.warnOnce("delimiter", hintIn(url, hint))
    yield* checkData(config, body, url)
    const names = { ...bindings, names: { ...bindings.names, headers } }
    // An empty body is no list, but no rows either: on the first page, and where the status says that there is no content.
    const isNothing = isEmpty && (page === 0 || status === 204)
    const found = valuesIn(
      expression === undefined || isNothing
        ? body
        : yield* Effect.mapError(expression.evaluate(body, names), expressionFailed)
    )
    const isWhole = isNothing || (yield* checkRows(config, found?.length, { body, headers, page, url }, context))
    const all = found ?? []
    const { failures, rows } = rowsOf(all, malformed, { url, row, before: 0 })
    // A line that cannot be read may have been any row, so no row counts as gone.
    if (malformed.length > 0) yield* context.incomplete("unread")
    const keys = Object.keys(auth?.query ?? {})
    const hash = () => sha256(JSON.stringify(all))
    return { answered: { url, headers, body, count: all.length, hash, bindings: names, keys }, rows, failures, isWhole }
  })

const readPieces = (
  { delimiter, format, next, rows: expression }: Config,
  received: Received,
  file: ScratchFile,
  folder: ScratchFolder,
  given: number
): Effect.Effect<LargeAnswer | Received, StepError> =>
  Effect.gen(function* () {
    const { headers, url } = received
    const contentType = headers["content-type"] ?? ""
    const path = plainPath(expression)
    const head = yield* readFile(folder, { ...file, bytes: Math.min(file.bytes, 1_000) })
    const how = format === undefined ? formatOf(contentType, head.toString()) : Either.right(format)
    const fails = (problem: string) => invalid(url, problem, head.toString())
    if (Either.isLeft(how)) return yield* fails(how.left)
    const isHashed = next?.page !== undefined || next?.offset !== undefined
    const isLines = how.right === "jsonl" || how.right === "csv"
    const isPlain = path !== undefined && (isLines ? path.length === 0 : how.right === "json" || path.length > 0)
    if (isPlain && isUnicode(head, contentType)) {
      return yield* readLarge(folder, received, { format: how.right, delimiter, path, given, isHashed }, fails)
    }
    if (file.bytes > maxSize) {
      const why = isPlain
        ? "is not in UTF-8"
        : `has rows at ${expression?.source ?? "its root"}, which is not a path to an array`
      return yield* fails(
        `has more than ${maxSize / 1024 / 1024} MiB and ${why}, so it cannot be read in pieces: ask for smaller pages`
      )
    }
    const { stray, text } = textIn(yield* readFile(folder, file), contentType)
    const { file: _, ...whole } = received
    return { ...whole, text, ...(stray ? { stray } : {}) }
  })

/**
 * Begins to read a large response. If its rows cannot be found without parsing all of it, it is read as a whole, unless it is too large.
 */
export const largeOf = (
  config: Config,
  received: Received,
  folder: ScratchFolder,
  given: number
): Effect.Effect<LargeAnswer | Received, StepError> =>
  received.file === undefined ? Effect.succeed(received) : readPieces(config, received, received.file, folder, given)

/** Rows of a large response's next piece; at its end, also the facts that decide the next page. */
export const pieceOf = (
  config: Config,
  large: LargeAnswer,
  row: Row | undefined,
  bindings: Bindings,
  context: Context,
  { page }: Place
): Effect.Effect<Omit<Page, "answered"> & { readonly answered: Answered | undefined }, StepError> =>
  Effect.gen(function* () {
    const { auth, rows: expression } = config
    const { headers, url } = large.received
    const { end, isStray, kept, malformed, values } = yield* large.next
    const before = large.count() - values.length - malformed.length
    if (isStray === true)
      yield* context.warnOnce("encoding", `${url} has bytes that are not in its encoding: they became �`)
    if (kept !== undefined) yield* context.warnOnce("integers", keptAsString(url, kept))
    if (malformed.length > 0) yield* context.incomplete("unread")
    const found = rowsOf(values, malformed, { url, row, before })
    if (end === undefined) return { ...found, answered: undefined, isWhole: true }
    const { body, hint, isFound } = end
    if (hint !== undefined) yield* context.warnOnce("delimiter", hintIn(url, hint))
    yield* checkData(config, body, url)
    const names = { ...bindings, names: { ...bindings.names, headers } }
    const keys = Object.keys(auth?.query ?? {})
    const answered = { url, headers, body, count: large.count(), hash: large.hash, bindings: names, keys }
    const check = (found: number | undefined) => checkRows(config, found, { body, headers, page, url }, context)
    if (isFound) return { ...found, answered, isWhole: yield* check(large.count()) }
    // There is no single array at the path, so the expression finds one object in the whole response, or the items of several arrays.
    const whole = valuesIn(
      expression === undefined ? body : yield* Effect.mapError(expression.evaluate(body, names), expressionFailed)
    )
    const isWhole = yield* check(whole?.length)
    const all = whole ?? []
    return { ...rowsOf(all, [], { url, row, before: 0 }), answered: { ...answered, count: all.length }, isWhole }
  })
