/** Listens to the wire below the client, and makes a recording of what went over it. */
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { canonical } from "../../Row/Difference.ts"
import { codeOf } from "../Network.ts"
import { type Answered, type Asked, type Exchanged, keyOf, type Recording } from "../Recording.ts"
import { condense } from "./Condense.ts"
import { stableIds } from "./Ids.ts"
import { hide, hideInstants, isHere } from "./Marks.ts"
import { headerSecrets, hideHeaders, masking, type Secret } from "./Mask.ts"
import { askedOf } from "./Request.ts"
import { mapTexts, textsUnder } from "./Text.ts"

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
  /** What was heard, without secrets, and the same whenever the same is asked and answered. */
  readonly recording: (secrets: ReadonlyArray<Secret>, runId?: string) => Recording
}

interface Around {
  /** The address of the service. */
  readonly service: string
  readonly site?: string | undefined
}

/** Whoever has one of these links may drive the session; and a recording leads to no network. */
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
