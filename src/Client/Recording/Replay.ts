/** HTTP client that answers from a recording, without a network. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { differences } from "../../Row/Difference.ts"
import { nearest } from "../../Row/Nearest.ts"
import { type Answered, type Asked, keyOf, nameOf, type Recording } from "../Recording.ts"
import { hideLiterals } from "./Mask.ts"
import { hide, reveal, type Values } from "./Placeholders.ts"
import { askedOf, mapTexts } from "./Request.ts"

/** URLs of site and service during a replay. The hosts do not exist. */
export const nowhere = { site: "http://site.test", service: "http://service.test" } as const

/** The recording contains no response for a request. */
export class NotRecorded extends Data.TaggedError("NotRecorded")<{
  readonly request: Asked
  /** Number of recorded responses to this request, all of which have been used. */
  readonly times: number
  /** Most similar recorded request, and the differences. */
  readonly near: string | undefined
}> {
  override get message() {
    const { near, request, times } = this
    const again = times === 0 ? "" : ` again: it was recorded ${times === 1 ? "once" : `${times} times`} only`
    return `no answer is recorded for ${nameOf(request)}${again}${near === undefined ? "" : `; ${near}`}`
  }
}

export interface Replayer {
  /** Returns the HTTP client for one run. */
  readonly client: (runId?: string) => HttpClient.HttpClient
  /** Base URL of the recorded service. */
  readonly service: string
  /** Requests so far without a recorded response. */
  readonly missing: () => ReadonlyArray<NotRecorded>
  /** Recorded requests that have not been made, so far. */
  readonly unused: () => ReadonlyArray<Asked>
}

/** A value in a message, at most 60 characters. */
const short = (value: unknown): string => {
  const text = value === undefined ? "nothing" : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

/** Describes the most similar recorded request. */
const nearTo = (request: Asked, recorded: ReadonlyArray<Asked>): string | undefined => {
  const [closest] = recorded
    .filter((each) => nameOf(each) === nameOf(request))
    .map((each) => differences(each, request))
    .sort((a, b) => a.length - b.length)
  const first = closest?.[0]
  if (closest !== undefined && first !== undefined) {
    const more = closest.length > 1 ? `, and ${closest.length - 1} more` : ""
    return `the nearest recorded request has ${first.path.replace(/^json\.?/, "") || "another body"}: ${short(first.expected)} instead of ${short(first.actual)}${more}`
  }
  const names = [...new Set(recorded.map(nameOf))]
  const near = nearest(nameOf(request), names)
  if (near !== undefined) return `the nearest recorded request is ${near}`
  if (names.length === 0) return undefined
  return `the recording has ${names.slice(0, 3).join(", ")}${names.length > 3 ? `, and ${names.length - 3} more` : ""}`
}

/** Decodes placeholders of secrets in queries and forms to the form used in recordings. */
const plainMarks = (text: string): string => text.replace(/%7B(secrets\.\w+)%7D/gi, "{$1}")

const broken = (code: string) => Object.assign(new Error(code), { code })

const bodyOf = ({ base64, json, text }: Answered): string | Buffer<ArrayBuffer> | null => {
  if (base64 !== undefined) return Buffer.from(base64, "base64")
  if (text !== undefined) return text
  return json === undefined ? null : JSON.stringify(json)
}

/** Makes a replayer. `now` replaces `{now}` in the recording. */
export const make = (recording: Recording | undefined, now: Date): Replayer => {
  const service = recording?.service ?? nowhere.service
  const values: Values = { site: nowhere.site, service: recording?.service === undefined ? service : undefined }
  const exchanges = recording?.exchanges ?? []
  const asked = exchanges.map((each) => each.request)
  const answers = new Map<string, Array<Answered>>()
  for (const { answer, request } of exchanges) {
    const key = keyOf(request)
    answers.set(key, [...(answers.get(key) ?? []), answer])
  }
  const given = new Map<string, number>()
  const missing: Array<NotRecorded> = []

  const client = (runId?: string) => {
    const conceal = hide({ ...values, runId })
    const show = reveal({ ...values, runId }, now)
    return HttpClient.make((raw, url) =>
      Effect.gen(function* () {
        const request = hideLiterals(
          mapTexts(yield* askedOf(raw, url, service), (text) => conceal(plainMarks(text))) as Asked
        )
        const key = keyOf(request)
        const times = given.get(key) ?? 0
        const answer = answers.get(key)?.[times]
        given.set(key, times + 1)
        if (answer === undefined) {
          const error = new NotRecorded({ request, times, near: times > 0 ? undefined : nearTo(request, asked) })
          missing.push(error)
          // RequestError with reason Encode is not retried.
          return yield* new HttpClientError.RequestError({ request: raw, reason: "Encode", cause: error })
        }
        if (answer.failure !== undefined) {
          return yield* new HttpClientError.RequestError({
            request: raw,
            reason: "Transport",
            cause: broken(answer.failure)
          })
        }
        const { headers, json, status = 200, text } = mapTexts(answer, show) as Answered
        const body = bodyOf({ ...answer, json, text })
        const init = { status, headers: { "content-type": "application/json", ...headers } }
        return HttpClientResponse.fromWeb(raw, new Response(status === 204 || status === 304 ? null : body, init))
      })
    )
  }
  return {
    client,
    service,
    missing: () => missing,
    unused: () => asked.filter((request) => !given.has(keyOf(request)))
  }
}
