/**
 * Records the requests and responses of a client.
 *
 * Recordings are reproducible: ids of the service become numbers, and polls of a running job without new documents are left out.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { ended } from "../../Api/JobStatus.ts"
import { canonical } from "../../Row/Difference.ts"
import { codeOf } from "../Network.ts"
import { type Answered, type Asked, type Exchanged, keyOf, type Recording } from "../Recording.ts"
import { headerSecrets, hideLiterals, isSecretOfAnswer, masking, parameterSecrets, type Secret } from "./Mask.ts"
import { hide, hideTimes, isLocal } from "./Placeholders.ts"
import { askedOf, mapTexts, textsUnder } from "./Request.ts"

/** A request, and its response once it has arrived. */
interface Observed {
  readonly request: Asked
  readonly at: number
  answer?: Answered
  answeredAt?: number
}

export interface Recorder {
  /** Wraps a client so that its calls are recorded. */
  readonly over: (client: HttpClient.HttpClient) => HttpClient.HttpClient
  /** The recording so far, without secrets. */
  readonly recording: (secrets: ReadonlyArray<Secret>, runId?: string) => Recording
}

interface RecorderOptions {
  /** Base URL. */
  readonly service: string
  readonly site?: string | undefined
}

/** Fields with links that give access to a browser session; masked. */
const sessionLinks = new Set(["cdpUrl", "liveViewUrl", "interactiveLiveViewUrl"])

/** Fields with tokens in responses to sign-ins outside of the service; masked. */
const tokens = new Set(["access_token", "refresh_token", "id_token"])

/** Response headers of the service that the client reads; only these are recorded. */
const recordedHeaders: ReadonlyArray<string> = ["content-type", "location", "retry-after"]

/**
 * Headers that depend on the connection or the moment, and cookies. For APIs outside of the service all other headers are recorded, because
 * the step `request` may read them.
 */
const passingHeaders =
  /^(age|connection|content-(encoding|length)|date|keep-alive|server(-timing)?|set-cookie|transfer-encoding|vary|via|x-request-id)$/

const headersOf = ({ headers }: HttpClientResponse.HttpClientResponse, { path }: Asked) => {
  const names = path.startsWith("/")
    ? recordedHeaders
    : Object.keys(headers).filter((name) => !passingHeaders.test(name))
  const found = names.flatMap((name) => {
    const value = headers[name]
    // `application/json` is the default.
    return value === undefined || (name === "content-type" && /^application\/json\b/.test(value))
      ? []
      : [[name, isSecretOfAnswer(name) ? "{masked}" : value]]
  })
  return found.length === 0 ? {} : { headers: Object.fromEntries(found) as Record<string, string> }
}

const bodyOf = (bytes: Buffer): Omit<Answered, "status"> => {
  const text = bytes.toString()
  if (!Buffer.from(text).equals(bytes)) return { base64: bytes.toString("base64") }
  if (text === "") return {}
  return Either.getOrElse(
    Either.try(() => ({ json: JSON.parse(text) as unknown })),
    () => ({ text })
  )
}

/** Makes a recorder. */
export const make = ({ service, site }: RecorderOptions): Recorder => {
  const observed: Array<Observed> = []
  /** Sequence number for requests and responses. */
  let sequence = 0
  const begin = Date.now()
  const broken = (entry: Observed) => (error: HttpClientError.HttpClientError) =>
    Effect.sync(() => {
      entry.answer = { failure: codeOf(error.cause) || "ECONNRESET" }
      entry.answeredAt = sequence++
    })
  return {
    over: (below) => {
      const client = HttpClient.withTracerDisabledWhen(below, () => true)
      return HttpClient.make((request, url) =>
        Effect.gen(function* () {
          const entry: Observed = { request: yield* askedOf(request, url, service), at: sequence++ }
          observed.push(entry)
          const response = yield* client.execute(request).pipe(Effect.tapError(broken(entry)))
          const bytes = yield* Effect.either(response.arrayBuffer)
          // A truncated body fails again when the client reads it.
          if (Either.isLeft(bytes)) yield* broken(entry)(bytes.left)
          else {
            const { status } = response
            entry.answer = { status, ...headersOf(response, entry.request), ...bodyOf(Buffer.from(bytes.right)) }
            entry.answeredAt = sequence++
          }
          return response
        })
      )
    },
    recording: (secrets, runId) => {
      const named = masking(secrets)
      const literals = observed
        .flatMap(({ answer, request }) => [
          ...headerSecrets(request.json),
          ...headerSecrets(request.form),
          ...parameterSecrets(request),
          ...(request.path.startsWith("/") ? [] : textsUnder(answer?.json, tokens)),
          ...(request.path.startsWith("/v2/browser") ? textsUnder(answer?.json, sessionLinks) : [])
        ])
        .filter((value) => named(value) === value)
      const mask = masking([...secrets, ...literals.map((value) => ({ value, mark: "{masked}" }))])
      const address = hide({ site, runId, service: isLocal(service) ? service : undefined })
      const times = hideTimes(begin, Date.now())
      const exchanges = observed.flatMap(({ answer, answeredAt = 0, at, request }) =>
        answer === undefined
          ? []
          : [
              {
                at,
                answeredAt,
                request: hideLiterals(mapTexts(request, (text) => address(mask(text))) as Asked),
                answer: mapTexts(answer, (text) => times(address(mask(text)))) as Answered
              }
            ]
      )
      return {
        recording: 1,
        ...(isLocal(service) ? {} : { service: mask(service) }),
        exchanges: ordered(condense(stableIds(exchanges)))
      }
    }
  }
}

const compare = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true })

/** Sorts by path, so that a job reads from start to end. Equal requests stay in their order. */
const ordered = (exchanges: ReadonlyArray<Exchanged>): ReadonlyArray<Exchanged> => {
  const methods = ["POST", "GET", "DELETE"]
  const pathOf = ({ request: { path } }: Exchanged) => path.split("?")[0] ?? ""
  const queryOf = ({ request: { path } }: Exchanged) => path.split("?")[1] ?? ""
  return exchanges
    .map(({ answer, request }) => ({ request, answer }))
    .sort(
      (a, b) =>
        compare(pathOf(a), pathOf(b)) ||
        methods.indexOf(a.request.method) - methods.indexOf(b.request.method) ||
        compare(queryOf(a), queryOf(b)) ||
        compare(canonical(a.request), canonical(b.request))
    )
}

/** The newer recording, with the exchanges of the older one that it does not contain. */
export const merge = (older: Recording | undefined, newer: Recording): Recording => {
  const keys = new Set(newer.exchanges.map(({ request }) => keyOf(request)))
  const rest = (older?.exchanges ?? []).filter(({ request }) => !keys.has(keyOf(request)))
  return { ...newer, exchanges: ordered([...newer.exchanges, ...rest]) }
}

/** True for a poll of a running job that got no new documents. */
const isPoll = ({ answer, request }: Timed): boolean => {
  const { json } = answer
  if (request.method !== "GET" || answer.status !== 200 || typeof json !== "object" || json === null) return false
  const { data, status } = json as { readonly data?: unknown; readonly status?: unknown }
  return typeof status === "string" && !ended.has(status) && Array.isArray(data) && data.length === 0
}

/** Removes polls that got no new documents, because their number depends on timing. Keeps the last exchange of each request. */
export const condense = (exchanges: ReadonlyArray<Timed>): ReadonlyArray<Timed> => {
  const last = new Map<string, Timed>()
  for (const each of exchanges) last.set(keyOf(each.request), each)
  return exchanges.filter((each) => !isPoll(each) || last.get(keyOf(each.request)) === each)
}

/** An exchange with the sequence numbers of its request and response. */
export interface Timed extends Exchanged {
  readonly at: number
  readonly answeredAt: number
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

const idFields = new Set(["id", "scrapeId", "jobId"])

/** Valid UUID (version 4) with this number. */
const numbered = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`

/** Replaces ids of the service by numbers. Ids that appear first in a request come from the user, and stay. */
export const stableIds = (exchanges: ReadonlyArray<Timed>): ReadonlyArray<Timed> => {
  const asked = new Map<string, number>()
  for (const { at, request } of exchanges) {
    for (const [id] of JSON.stringify(request).matchAll(uuids)) asked.set(id, Math.min(at, asked.get(id) ?? at))
  }
  // Numbers ids in the order of the requests' content, starts of jobs first, because the order of responses depends on timing.
  const order = [...exchanges].sort(
    (a, b) =>
      Number(b.request.method === "POST") - Number(a.request.method === "POST") ||
      (canonical(a.request) < canonical(b.request) ? -1 : canonical(a.request) > canonical(b.request) ? 1 : 0)
  )
  const given = new Map<string, string>()
  for (const { answer, answeredAt } of order) {
    for (const id of textsUnder(answer.json, idFields)) {
      if (!uuid.test(id) || given.has(id) || (asked.get(id) ?? answeredAt) < answeredAt) continue
      given.set(id, numbered(given.size + 1))
    }
  }
  if (given.size === 0) return exchanges
  const replace = (text: string) => text.replace(uuids, (id) => given.get(id) ?? id)
  return exchanges.map(({ answer, request, ...times }) => ({
    ...times,
    request: mapTexts(request, replace) as Exchanged["request"],
    answer: mapTexts(answer, replace) as Exchanged["answer"]
  }))
}
