/**
 * Language model behind an OpenAI-compatible endpoint: answers questions with JSON that is validated against a schema.
 *
 * Error messages never contain the endpoint's key, or its URL, which may include a password.
 */

import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { TimedOut, Unavailable, Unprocessable } from "../../Api/Errors.ts"
import { beginOf } from "../../Api/Issues.ts"
import { isHttp } from "../../Api/Url.ts"
import { catalogue } from "../../Settings.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { readText } from "../Fetch/Body.ts"
import { containedConnector } from "../Fetch/Containment.ts"
import { lazyAgent } from "../Fetch/Dispatcher.ts"
import { basicAuthorization } from "../Fetch/Headers.ts"
import * as FairQueue from "../Teams/FairQueue.ts"
import { type AnswerSchema, readAnswer } from "./AnswerSchema.ts"

export interface ModelOptions {
  /** Base URL without `/chat/completions`, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string
  readonly name: string
  readonly key?: Redacted.Redacted | undefined
}

export interface Question {
  /** System prompt. */
  readonly system: string
  readonly user: string
  /** Schema of the answer; without it any JSON is accepted. */
  readonly schema?: AnswerSchema | undefined
  /** Milliseconds since 1970; covers the second attempt, too. */
  readonly deadline: number
}

export type ModelFailure = TimedOut | Unavailable | Unprocessable

export interface Service {
  /** Returns JSON that matches the question's schema. An invalid answer is sent back once with its faults. */
  readonly complete: (question: Question) => Effect.Effect<unknown, ModelFailure>
}

/** Port to the language model; undefined unless one is configured. */
export class Model extends Context.Tag("sluice/Engine/Model/Model")<Model, Service | undefined>() {}

/** Maximum concurrent questions, shared fairly between teams; further ones wait. */
const concurrency = 8

const instruction = "Answer with one JSON value and nothing else: no prose, no code fence."

const described = ({ schema, system }: Question): string =>
  `${system}\n\n${instruction}${schema === undefined ? "" : ` It must be valid by this JSON Schema:\n${JSON.stringify(schema.json)}`}`

/** Characters of an invalid answer that are sent back to the model. */
const maxRepeatedAnswer = 20_000

const invalidAnswer = (faults: ReadonlyArray<string>) =>
  new Unprocessable({
    error: `The model's answer does not match the schema: ${faults.join("; ")}. Simplify the schema or the prompt, or use a stronger model.`,
    code: "MODEL_ANSWER_INVALID",
    details: faults
  })

/** Returns why the options cannot be used. Does not repeat the address, which may contain a password. */
export const optionsFault = ({ name, url }: ModelOptions): string | undefined => {
  if (!isHttp(url)) return "the address of the model is not an http:// or https:// address"
  return name.trim() === "" ? "the model has no name" : undefined
}

/** Creates the service. Its connections close with the scope. */
export const make = Trace.fn("Model.make")(function* (options: ModelOptions) {
  const ask = yield* makeEndpoint(options)
  const places = yield* FairQueue.ofEngine(concurrency)

  const converse = Effect.fnUntraced(function* (question: Question) {
    const { schema, user } = question
    const messages = [
      { role: "system", content: described(question) },
      { role: "user", content: user }
    ] as const
    const first = yield* ask(messages, schema?.json)
    const answer = readAnswer(first, schema)
    if (answer._tag === "Right") return answer.right
    const second = yield* ask(
      [
        ...messages,
        { role: "assistant", content: first.slice(0, maxRepeatedAnswer) },
        {
          role: "user",
          content: `That is not right:\n${answer.left.map((fault) => `- ${fault}`).join("\n")}\nAnswer again, corrected. ${instruction}`
        }
      ],
      schema?.json
    )
    const corrected = readAnswer(second, schema)
    return corrected._tag === "Right" ? corrected.right : yield* invalidAnswer(corrected.left)
  })

  const complete = Trace.fn("Model.complete")(function* (question: Question) {
    const left = question.deadline - (yield* Clock.currentTimeMillis)
    const late = () =>
      new TimedOut({ error: 'The model did not answer in time. Raise "timeout".', code: "MODEL_TIMEOUT" })
    if (left <= 0) return yield* late()
    const asked = places.withPlace(yield* FairQueue.Owner)(converse(question))
    return yield* Effect.timeoutFail(asked, { duration: left, onTimeout: late })
  })
  return { complete } satisfies Service
})

export const layer = (options: ModelOptions | undefined): Layer.Layer<Model, never, FairQueue.Teams> =>
  options === undefined ? Layer.succeed(Model, undefined) : Layer.scoped(Model, make(options))

export interface Message {
  readonly role: "system" | "user" | "assistant"
  readonly content: string
}

/** Maximum size of an answer. */
const maxBytes = 4 * 1024 * 1024

const Part = Schema.Struct({ text: Schema.optional(Schema.String) })

const Completion = Schema.Struct({
  choices: Schema.Array(
    Schema.Struct({
      message: Schema.Struct({
        content: Schema.optional(Schema.NullOr(Schema.Union(Schema.String, Schema.Array(Part)))),
        refusal: Schema.optional(Schema.NullOr(Schema.String))
      }),
      finish_reason: Schema.optional(Schema.NullOr(Schema.String))
    })
  )
})

const EndpointError = Schema.Struct({
  error: Schema.Union(Schema.String, Schema.Struct({ message: Schema.String }))
})

const decodeCompletion = Schema.decodeUnknownEither(Schema.parseJson(Completion))
const decodeComplaint = Schema.decodeUnknownEither(Schema.parseJson(EndpointError))

/** Rejection by the endpoint that may not occur without `response_format`. */
class Declined extends Data.TaggedError("Declined")<{ readonly failure: Unavailable | Unprocessable }> {}

/** The endpoint's error message; empty if it contains the key or the password. */
const complaintOf = (text: string, key: string | undefined): string =>
  Either.match(decodeComplaint(text), {
    onLeft: () => "",
    onRight: ({ error }) => {
      const said = (typeof error === "string" ? error : error.message).slice(0, 200)
      return key !== undefined && said.includes(key) ? "" : `: ${said}`
    }
  })

const unavailable = (error: string, retryAfter?: number) =>
  new Unavailable({ error, code: "MODEL_UNAVAILABLE", ...(retryAfter === undefined ? {} : { retryAfter }) })

/** Error that lasts until a setting is changed, so clients do not retry. */
const misconfigured = (error: string) => new Unavailable({ error, code: "MODEL_MISCONFIGURED" })

const where = `the endpoint in ${catalogue.modelUrl.env}`

const failureOfStatus = (status: number, text: string, retryAfter: string | undefined, key: string | undefined) => {
  if (status === 401 || status === 403) {
    return misconfigured(`The model's endpoint refused the key (${status}). Check ${catalogue.modelKey.env}.`)
  }
  if (status >= 300 && status < 400) {
    return misconfigured(
      `The model's endpoint redirects (${status}), and the key is not sent to another address. Set ${catalogue.modelUrl.env} to the address that it redirects to.`
    )
  }
  const seconds = Number(retryAfter)
  return unavailable(
    `The model's endpoint answered ${status}${complaintOf(text, key)}. Check ${catalogue.modelUrl.env} and ${catalogue.model.env}, or try again later.`,
    status === 429 && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
  )
}

const contentOf = (text: string): Either.Either<string, Unavailable | Unprocessable> => {
  const decoded = decodeCompletion(text)
  const choice = Either.isRight(decoded) ? decoded.right.choices[0] : undefined
  if (choice === undefined) {
    return Either.left(
      misconfigured(`The answer of ${where} is not a chat completion. Check that the endpoint is OpenAI-compatible.`)
    )
  }
  const { finish_reason: end, message } = choice
  const { content, refusal } = message
  const said = typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("")
  if (end === "length") {
    return Either.left(
      new Unprocessable({
        error:
          "The model's answer was cut off at the maximum length that its server allows. Ask for less, or raise that limit at the model server.",
        code: "MODEL_ANSWER_INVALID"
      })
    )
  }
  return said === "" && refusal !== undefined && refusal !== null
    ? Either.left(
        new Unprocessable({ error: `The model declines to answer: ${beginOf(refusal, 200)}`, code: "MODEL_REFUSED" })
      )
    : Either.right(said)
}

/** Statuses with which an endpoint may answer if it does not support `response_format`. */
const mayNotKnowFormats = new Set([400, 404, 415, 422, 500, 501])

/** After this many refusals in a row `response_format` is no longer sent. A single one may be caused by the schema. */
const maxRefusals = 3

const formatOf = (schema: object | undefined) =>
  schema === undefined
    ? { type: "json_object" }
    : { type: "json_schema", json_schema: { name: "answer", schema, strict: false } }

/** Creates the function that sends messages to the endpoint. It requests structured output while the endpoint supports that. */
export const makeEndpoint = Trace.fn("Endpoint.make")(function* ({ key: secret, name, url }: ModelOptions) {
  // No timeouts here: the question has a deadline.
  const agent = yield* lazyAgent(() => ({
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: containedConnector({ timeout: 10_000 })
  }))
  const base = new URL(url)
  const path = base.pathname.replace(/\/+$/, "")
  const key = secret === undefined ? undefined : Redacted.value(secret)
  const authorization = key === undefined ? basicAuthorization(base) : `Bearer ${key}`
  const refusals = { inARow: 0 }

  const post = Effect.fnUntraced(function* (body: object) {
    const response = yield* Effect.tryPromise({
      try: (signal) =>
        agent().request({
          origin: base.origin,
          path: `${path.endsWith("/chat/completions") ? path : `${path}/chat/completions`}${base.search}`,
          method: "POST",
          headers: {
            "content-type": "application/json",
            accept: "application/json",
            ...(authorization === undefined ? {} : { authorization })
          },
          body: JSON.stringify(body),
          signal
        }),
      catch: () => unavailable(`The model cannot be reached: ${where} does not answer. Check that it runs.`)
    })
    const text = yield* readText(response.body, {
      maxBytes,
      broken: () => unavailable("The connection to the model broke off while it answered. Try again."),
      tooLong: () =>
        new Unprocessable({
          error: `The model's answer is longer than ${maxBytes} bytes. Ask for less.`,
          code: "MODEL_ANSWER_INVALID"
        })
    })
    if (response.statusCode === 200) return text
    const { "retry-after": retryAfter } = response.headers
    const failure = failureOfStatus(
      response.statusCode,
      text,
      String(retryAfter ?? ""),
      key ?? (base.password || undefined)
    )
    return yield* mayNotKnowFormats.has(response.statusCode) ? new Declined({ failure }) : failure
  })

  return Trace.fn("Endpoint.ask")(function* (messages: ReadonlyArray<Message>, schema: object | undefined) {
    const body = { model: name, messages, stream: false }
    const bare = Effect.catchTag(post(body), "Declined", ({ failure }) => Effect.fail(failure))
    if (refusals.inARow >= maxRefusals) return yield* contentOf(yield* bare)
    const text = yield* post({ ...body, response_format: formatOf(schema) }).pipe(
      Effect.tap(() => Effect.sync(() => (refusals.inARow = 0))),
      Effect.catchTag("Declined", () => Effect.tap(bare, () => Effect.sync(() => (refusals.inARow += 1))))
    )
    return yield* contentOf(text)
  })
})
