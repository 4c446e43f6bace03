/** The operations of one group of the contract, as calls that fail with nothing but a ClientError. */
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as ParseResult from "effect/ParseResult"
import { Api } from "../Api.ts"
import { excerpt } from "./Answer.ts"
import { type Call, type ClientError, type Detail, InvalidRequest, UnexpectedResponse } from "./ClientErrors.ts"
import { Connection } from "./Connection.ts"

/** API version of the endpoint. Default: v2. */
export interface Versioned {
  readonly version?: "v1" | "v2" | undefined
}

/** Of a call that costs credits or starts something. */
export interface Keyed {
  /**
   * The service answers a call that is repeated under its key with the first answer and charges nothing more. So with a key
   * a call that failed on the way, or with a 5xx, is made again; without one it is not: it may have been charged. A service
   * that does not know such keys (the local engine does) charges again.
   */
  readonly idempotencyKey?: string | undefined
}

/** True when the service may not store the response, and so cannot repeat it. */
interface Retention {
  readonly zeroDataRetention?: boolean | undefined
}

/** Without stored responses no idempotency key is sent: the service would run and charge a repeated call again. */
export const keyHeaders = (
  { idempotencyKey = "" }: Keyed,
  { zeroDataRetention = false }: Retention = {}
): { readonly "x-idempotency-key"?: string } =>
  idempotencyKey === "" || zeroDataRetention ? {} : { "x-idempotency-key": idempotencyKey }

type Group = (typeof Api)["groups"][string]
type Name = HttpApiGroup.HttpApiGroup.Name<Group>

type Operation<Endpoint> =
  Endpoint extends HttpApiEndpoint.HttpApiEndpoint<
    infer _Name,
    infer _Method,
    infer Path,
    infer UrlParams,
    infer Payload,
    infer Headers,
    infer Success,
    infer _Error,
    infer _R,
    infer _RE
  >
    ? (
        request: HttpApiEndpoint.HttpApiEndpoint.ClientRequest<Path, UrlParams, Payload, Headers, false>
      ) => Effect.Effect<Success, ClientError>
    : never

/** The operations of a group, by the names of its endpoints. */
export type Calls<N extends Name> = {
  readonly [Endpoint in HttpApiGroup.HttpApiGroup.EndpointsWithName<
    Group,
    N
  > as HttpApiEndpoint.HttpApiEndpoint.Name<Endpoint>]: Operation<Endpoint>
}

/** An answer that is JSON, but not the JSON of the contract. */
class Undecodable extends Data.TaggedError("Undecodable")<{ readonly cause: ParseResult.ParseError }> {}

type Scrub = Context.Tag.Service<typeof Connection>["scrub"]

/** A fault says what was there instead, which may be a list of 100,000 addresses. */
const short = (message: string): string => (message.length > 300 ? `${message.slice(0, 299)}…` : message)

/** Every fault with its place. That an optional field might have been left out altogether is no help, and left out itself. */
const toDetails = ({ issue }: ParseResult.ParseError, scrub: Scrub = identity): ReadonlyArray<Detail> =>
  ParseResult.ArrayFormatter.formatIssueSync(issue)
    .filter(({ message }) => !message.startsWith("Expected undefined, actual "))
    .map(({ path, message }) => ({ path: scrub(path.join(".")), message: short(scrub(message)) }))

/** The first faults of an answer, in a line. The key comes out before anything is cut: half a key would not be found. */
export const faultsIn = (error: ParseResult.ParseError, scrub: Scrub): string =>
  toDetails(error, scrub)
    .slice(0, 3)
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
    .join("; ")

/** Turns a refusal by a schema of the contract into the error that the service would have answered. */
export const invalid = (call: Call, error: ParseResult.ParseError): InvalidRequest =>
  new InvalidRequest({ ...call, details: toDetails(error) })

const undecodable = (call: Call, error: ParseResult.ParseError, scrub: Scrub): UnexpectedResponse => {
  const { actual } = error.issue
  const body = actual instanceof ArrayBuffer ? Buffer.from(actual, 0, Math.min(8192, actual.byteLength)).toString() : ""
  return new UnexpectedResponse({ ...call, said: faultsIn(error, scrub), status: 200, excerpt: excerpt(scrub(body)) })
}

/**
 * The connection has already answered for every status but 2xx, so that the errors the contract itself declares do not
 * get here: what is left is a request that breaks the contract, an answer that does, or a ClientError.
 */
const settle = (call: Call, error: unknown, scrub: Scrub): ClientError => {
  if (error instanceof Undecodable) return undecodable(call, error.cause, scrub)
  if (ParseResult.isParseError(error)) return invalid(call, error)
  if (HttpClientError.isHttpClientError(error)) {
    const status = error._tag === "ResponseError" ? error.response.status : 0
    return new UnexpectedResponse({ ...call, status, excerpt: "" })
  }
  return error as ClientError
}

/** True for a success without a word. */
const isSilent = (error: ClientError): boolean =>
  error._tag === "UnexpectedResponse" && error.status >= 200 && error.status < 300 && error.excerpt === ""

/** The connection of the call in progress. */
class Sender extends Context.Tag("sluice/Client/Sender")<Sender, HttpClient.HttpClient.With<ClientError>>() {}

const viaSender = HttpClient.makeWith(
  (request: Effect.Effect<HttpClientRequest.HttpClientRequest, ClientError>) =>
    Effect.flatMap(Effect.all([Sender, request]), ([http, ready]) => http.execute(ready)),
  Effect.succeed
)

type Operations = Readonly<Record<string, (request: unknown) => Effect.Effect<unknown, unknown, Sender>>>

const compiled = new Map<Name, Operations>()

/** Compiles the schemas of a group at its first call, for all connections: the whole contract takes some 40 ms. */
const operationsOf = (group: Name): Operations => {
  const known = compiled.get(group)
  if (known !== undefined) return known
  // Each operation has its own type; callers know it by its name in the contract.
  const operations = Effect.runSync(
    HttpApiClient.group(Api, {
      group,
      httpClient: viaSender,
      transformResponse: Effect.mapError((error) =>
        ParseResult.isParseError(error) ? new Undecodable({ cause: error }) : error
      )
    })
  ) as unknown as Operations
  compiled.set(group, operations)
  return operations
}

/** Derives the calls of a group. Every fault of a request is reported before anything is sent. */
export const calls = Effect.fnUntraced(function* <const N extends Name>(name: N) {
  const { http, baseUrl, scrub } = yield* Connection
  const endpoints: Readonly<Record<string, { readonly method: string; readonly path: string }>> =
    Api.groups[name]?.endpoints ?? {}
  const operations = Object.entries(endpoints).map(([operation, { method, path }]) => {
    const url = baseUrl + path
    return [
      operation,
      (request: unknown) =>
        Effect.suspend(
          () => operationsOf(name)[operation]?.(request) ?? Effect.dieMessage(`no operation ${operation}`)
        ).pipe(
          Effect.provideService(Sender, http),
          Effect.mapError((error) => settle({ method, url }, error, scrub)),
          // The job no longer exists.
          Effect.catchIf(
            (error) => method === "DELETE" && isSilent(error),
            () => Effect.succeed<unknown>({ success: true, status: "cancelled" })
          )
        )
    ]
  })
  return Object.fromEntries(operations) as Calls<N>
})

/** The id of something other than a job, ready to stand in a path. */
export const segment = (id: string, call: Call): Effect.Effect<string, InvalidRequest> =>
  id === "" || id === "." || id === ".."
    ? new InvalidRequest({ ...call, details: [{ path: "id", message: `${JSON.stringify(id)} is not an id` }] })
    : Effect.succeed(encodeURIComponent(id))
