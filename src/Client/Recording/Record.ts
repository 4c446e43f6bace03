/**
 * Records the requests and responses of a client.
 *
 * A recording is the same whenever the same is asked and answered: ids of the service become numbers, and polls of a running job that found
 * nothing new are left out.
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
import { headerSecrets, hideHeaders, masking, type Secret } from "./Mask.ts"
import { hide, hideInstants, isHere } from "./Placeholders.ts"
import { askedOf, mapTexts, textsUnder } from "./Request.ts"

/** An exchange as it went over the wire; it may still wait for its answer. */
interface Heard {
  readonly request: Asked
  readonly at: number
  answer?: Answered
  answeredAt?: number
}

export interface Recorder {
  /** Does what the client below does, and listens. */
  readonly client: HttpClient.HttpClient
  /** The recording so far, without secrets. */
  readonly recording: (secrets: ReadonlyArray<Secret>, runId?: string) => Recording
}

interface Around {
  /** The address of the service. */
  readonly service: string
  readonly site?: string | undefined
}

/** Links that give access to a browser session are removed. */
const sessionLinks = new Set(["cdpUrl", "liveViewUrl", "interactiveLiveViewUrl"])

/** The headers of an answer that the client acts on. */
const kept = ["content-type", "location", "retry-after"] as const

const headersOf = ({ headers }: HttpClientResponse.HttpClientResponse) => {
  const found = kept.flatMap((name) => {
    const value = headers[name]
    // That an answer is JSON can be seen.
    return value === undefined || (name === "content-type" && /^application\/json\b/.test(value)) ? [] : [[name, value]]
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

/** Listens to a client. */
export const make = (below: HttpClient.HttpClient, { service, site }: Around): Recorder => {
  const heard: Array<Heard> = []
  /** Requests and answers are numbered as they come and go. */
  let moment = 0
  const begin = Date.now()
  const client = HttpClient.withTracerDisabledWhen(below, () => true)
  const broken = (entry: Heard) => (error: HttpClientError.HttpClientError) =>
    Effect.sync(() => {
      entry.answer = { failure: codeOf(error.cause) || "ECONNRESET" }
      entry.answeredAt = moment++
    })
  return {
    client: HttpClient.make((request, url) =>
      Effect.gen(function* () {
        const entry: Heard = { request: yield* askedOf(request, url, service), at: moment++ }
        heard.push(entry)
        const response = yield* client.execute(request).pipe(Effect.tapError(broken(entry)))
        const bytes = yield* Effect.either(response.arrayBuffer)
        // A body that is cut fails again when the client reads it.
        if (Either.isLeft(bytes)) yield* broken(entry)(bytes.left)
        else {
          const { status } = response
          entry.answer = { status, ...headersOf(response), ...bodyOf(Buffer.from(bytes.right)) }
          entry.answeredAt = moment++
        }
        return response
      })
    ),
    recording: (secrets, runId) => {
      const named = masking(secrets)
      const literals = heard
        .flatMap(({ answer, request }) => [
          ...headerSecrets(request.json),
          ...headerSecrets(request.form),
          ...(request.path.startsWith("/v2/browser") ? textsUnder(answer?.json, sessionLinks) : [])
        ])
        .filter((value) => named(value) === value)
      const mask = masking([...secrets, ...literals.map((value) => ({ value, mark: "{masked}" }))])
      const address = hide({ site, runId, service: isHere(service) ? service : undefined })
      const instants = hideInstants(begin, Date.now())
      const exchanges = heard.flatMap(({ answer, answeredAt = 0, at, request }) =>
        answer === undefined
          ? []
          : [
              {
                at,
                answeredAt,
                request: hideHeaders(mapTexts(request, (text) => address(mask(text)))) as Asked,
                answer: mapTexts(answer, (text) => instants(address(mask(text)))) as Answered
              }
            ]
      )
      return {
        recording: 1,
        ...(isHere(service) ? {} : { service: mask(service) }),
        exchanges: ordered(condense(stableIds(exchanges)))
      }
    }
  }
}

const compare = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true })

/** By path, so that a job is read from its start to its end; what is asked alike stays in the order of asking. */
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

/** The newer recording, and of the older one what the newer has not heard. */
export const merge = (older: Recording | undefined, newer: Recording): Recording => {
  const keys = new Set(newer.exchanges.map(({ request }) => keyOf(request)))
  const rest = (older?.exchanges ?? []).filter(({ request }) => !keys.has(keyOf(request)))
  return { ...newer, exchanges: ordered([...newer.exchanges, ...rest]) }
}

/** A response to a poll, after which the client waits and sends the same request again. */
const isWaiting = ({ answer, request }: Timed): boolean => {
  const { json } = answer
  if (request.method !== "GET" || answer.status !== 200 || typeof json !== "object" || json === null) return false
  const { data, status } = json as { readonly data?: unknown; readonly status?: unknown }
  return typeof status === "string" && !ended.has(status) && Array.isArray(data) && data.length === 0
}

/** Removes polls without news: their number depends on timing, the result of the job does not. */
export const condense = (exchanges: ReadonlyArray<Timed>): ReadonlyArray<Timed> => {
  const last = new Map<string, Timed>()
  for (const each of exchanges) last.set(keyOf(each.request), each)
  return exchanges.filter((each) => !isWaiting(each) || last.get(keyOf(each.request)) === each)
}

/** An exchange, and when its request and its answer passed. */
export interface Timed extends Exchanged {
  readonly at: number
  readonly answeredAt: number
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

const named = new Set(["id", "scrapeId", "jobId"])

/** Stays a valid id of version 4. */
const numbered = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`

/** Ids that an answer brought before anybody asked for them; those that a user named stay as they are. */
export const stableIds = (exchanges: ReadonlyArray<Timed>): ReadonlyArray<Timed> => {
  const asked = new Map<string, number>()
  for (const { at, request } of exchanges) {
    for (const [id] of JSON.stringify(request).matchAll(uuids)) asked.set(id, Math.min(at, asked.get(id) ?? at))
  }
  // Starts before the rest, each in the order of what they ask: who was answered first means nothing.
  const order = [...exchanges].sort(
    (a, b) =>
      Number(b.request.method === "POST") - Number(a.request.method === "POST") ||
      (canonical(a.request) < canonical(b.request) ? -1 : canonical(a.request) > canonical(b.request) ? 1 : 0)
  )
  const given = new Map<string, string>()
  for (const { answer, answeredAt } of order) {
    for (const id of textsUnder(answer.json, named)) {
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
