/** Client operations derived from the API groups. They fail only with ClientError. */
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
import { faultsOfError } from "../Api/Issues.ts"
import { Api } from "../Api.ts"
import { excerpt } from "./Answer.ts"
import { type Call, type ClientError, type Detail, InvalidRequest, UnexpectedResponse } from "./ClientErrors.ts"
import { Connection } from "./Connection.ts"

/** Options of a call to an endpoint that exists in two versions of the API. */
export interface Versioned {
  /** API version of the endpoint. Default: v2. */
  readonly version?: "v1" | "v2" | undefined
}

/** Options of a call that costs credits or starts something. */
export interface Keyed {
  /**
   * Key under which the service runs and charges the call only once: a repeated call gets the first response. With a key, a call is retried
   * after a 5xx or a broken connection; without one it is not, because it may have been charged. The local engine supports keys; a service
   * without that support charges each retry. At most 255 printable ASCII characters.
   */
  readonly idempotencyKey?: string | undefined
}

/** A paid call, with the request of the version that its options name. `Options` are further ones of version 2. */
export interface PaidCall<Request, RequestV1, Response, Options = object> {
  (
    request: Request,
    options?: Keyed & Options & { readonly version?: "v2" | undefined }
  ): Effect.Effect<Response, ClientError>
  (request: RequestV1, options: Keyed & { readonly version: "v1" }): Effect.Effect<Response, ClientError>
}

interface Retention {
  /** True if the service must not store the response. The service can then not repeat the response for the same key. */
  readonly zeroDataRetention?: boolean | undefined
}

/** Header with the idempotency key. Not sent with zero data retention: the service would run and charge a repeated call again. */
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

/** Operations of a group, by endpoint name. */
export type Calls<N extends Name> = {
  readonly [Endpoint in HttpApiGroup.HttpApiGroup.EndpointsWithName<
    Group,
    N
  > as HttpApiEndpoint.HttpApiEndpoint.Name<Endpoint>]: Operation<Endpoint>
}

/** Error: the JSON of a response does not match the API. */
class Undecodable extends Data.TaggedError("Undecodable")<{ readonly cause: ParseResult.ParseError }> {}

type Scrub = Context.Tag.Service<typeof Connection>["scrub"]

/** Shortens a schema message: the value that it quotes may be an array of 100,000 URLs. */
const shorten = (message: string): string => (message.length > 300 ? `${message.slice(0, 299)}…` : message)

/** All mismatches with their paths. */
const toDetails = (error: ParseResult.ParseError, scrub: Scrub = identity): ReadonlyArray<Detail> =>
  faultsOfError(error).map(({ path, message }) => ({ path: scrub(path.join(".")), message: shorten(scrub(message)) }))

/** The first mismatches of a response, on one line. Removes the API key before shortening, because half a key would not be found. */
export const mismatches = (error: ParseResult.ParseError, scrub: Scrub): string =>
  toDetails(error, scrub)
    .slice(0, 3)
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
    .join("; ")

/** Converts a schema error of a request into the error that the service would have returned. */
export const invalidRequest = (call: Call, error: ParseResult.ParseError): InvalidRequest =>
  new InvalidRequest({ ...call, details: toDetails(error) })

const undecodable = (call: Call, error: ParseResult.ParseError, scrub: Scrub): UnexpectedResponse => {
  const { actual } = error.issue
  const body = actual instanceof ArrayBuffer ? Buffer.from(actual, 0, Math.min(8192, actual.byteLength)).toString() : ""
  return new UnexpectedResponse({ ...call, said: mismatches(error, scrub), status: 200, excerpt: excerpt(scrub(body)) })
}

/**
 * Converts the remaining errors of a call (the connection has already converted non-2xx statuses): an invalid request, an unexpected
 * response, or a ClientError.
 */
const toClientError = (call: Call, error: unknown, scrub: Scrub): ClientError => {
  if (error instanceof Undecodable) return undecodable(call, error.cause, scrub)
  if (ParseResult.isParseError(error)) return invalidRequest(call, error)
  if (HttpClientError.isHttpClientError(error)) {
    const status = error._tag === "ResponseError" ? error.response.status : 0
    return new UnexpectedResponse({ ...call, status, excerpt: "" })
  }
  return error as ClientError
}

/** True for a 2xx response with an empty body, which is reported as an error because it is no JSON. */
const isEmptySuccess = (error: ClientError): boolean =>
  error._tag === "UnexpectedResponse" && error.status >= 200 && error.status < 300 && error.excerpt === ""

/** HTTP client of the connection over which the current call is made. */
class Sender extends Context.Tag("sluice/Client/Sender")<Sender, HttpClient.HttpClient.With<ClientError>>() {}

const viaSender = HttpClient.makeWith(
  (request: Effect.Effect<HttpClientRequest.HttpClientRequest, ClientError>) =>
    Effect.flatMap(Effect.all([Sender, request]), ([http, ready]) => http.execute(ready)),
  Effect.succeed
)

type Operations = Readonly<Record<string, (request: unknown) => Effect.Effect<unknown, unknown, Sender>>>

const compiled = new Map<Name, Operations>()

/** Compiles the schemas of a group at its first call, once for all connections: compiling the whole API takes about 40 ms. */
const operationsOf = (group: Name): Operations => {
  const known = compiled.get(group)
  if (known !== undefined) return known
  // Each operation has its own type, which `Calls` restores by its name.
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

/** Derives the operations of a group. An invalid request fails with all its mistakes before anything is sent. */
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
          Effect.mapError((error) => toClientError({ method, url }, error, scrub)),
          // An empty response to DELETE means that the job no longer exists: it counts as cancelled.
          Effect.catchIf(
            (error) => method === "DELETE" && isEmptySuccess(error),
            () => Effect.succeed<unknown>({ success: true, status: "cancelled" })
          )
        )
    ]
  })
  return Object.fromEntries(operations) as Calls<N>
})

/** Encodes an id for a path, other than a job id. */
export const pathSegment = (id: string, call: Call): Effect.Effect<string, InvalidRequest> =>
  id === "" || id === "." || id === ".."
    ? new InvalidRequest({ ...call, details: [{ path: "id", message: `${JSON.stringify(id)} is not an id` }] })
    : Effect.succeed(encodeURIComponent(id))
