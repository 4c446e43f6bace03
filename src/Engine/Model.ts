/** A language model behind an OpenAI-compatible endpoint: asked a question, it answers with checked JSON. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { TimedOut, type Unavailable, Unprocessable } from "../Api/Errors.ts"
import { canParse } from "../Api/Url.ts"
import { readAnswer } from "./Model/Answer.ts"
import type { AnswerSchema } from "./Model/AnswerSchema.ts"
import * as Endpoint from "./Model/Endpoint.ts"
import * as Shares from "./Shares.ts"

/** Where the model is, as the operator has set it. */
export interface ModelOptions {
  /** The base that `/chat/completions` follows, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string
  readonly name: string
  readonly key?: Redacted.Redacted | undefined
}

export interface Question {
  /** What the model is to do. */
  readonly system: string
  readonly user: string
  /** What the answer must be; without one any JSON will do. */
  readonly schema?: AnswerSchema | undefined
  /** In milliseconds since 1970, for everything. */
  readonly deadline: number
}

export type ModelFailure = TimedOut | Unavailable | Unprocessable

export interface Service {
  /** JSON that the question's schema holds for. */
  readonly complete: (question: Question) => Effect.Effect<unknown, ModelFailure>
}

/** Undefined unless the operator has set one up. */
export class Model extends Context.Reference<Model>()("sluice/Engine/Model", {
  defaultValue: (): Service | undefined => undefined
}) {}

/** Answers waited for at once, shared by teams; further questions wait. */
const concurrency = 8

const instruction = "Answer with one JSON value and nothing else: no prose, no code fence."

const described = ({ schema, system }: Question): string =>
  `${system}\n\n${instruction}${schema === undefined ? "" : ` It must be valid by this JSON Schema:\n${JSON.stringify(schema.json)}`}`

/** So much of a wrong answer is shown to the model again. */
const shownAgain = 20_000

const faulty = (faults: ReadonlyArray<string>) =>
  new Unprocessable({
    error: `The model's answer is not what was asked for: ${faults.join("; ")}. Make the schema or the prompt simpler, or set a stronger model.`,
    code: "MODEL_ANSWER_INVALID",
    details: faults
  })

/** Why a model cannot be asked; its address is not repeated, as it may hold a password. */
export const whyUnusable = ({ name, url }: ModelOptions): string | undefined => {
  if (!canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return "it is no http:// or https:// address"
  return name.trim() === "" ? "the model has no name" : undefined
}

/** A model that is asked over HTTP; its connections close with the scope. */
export const make = Effect.fn("Model.make")(function* (options: ModelOptions) {
  const ask = yield* Endpoint.make(options)
  const places = yield* Shares.ofEngine(concurrency)

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
        { role: "assistant", content: first.slice(0, shownAgain) },
        {
          role: "user",
          content: `That is not right:\n${answer.left.map((fault) => `- ${fault}`).join("\n")}\nAnswer again, corrected. ${instruction}`
        }
      ],
      schema?.json
    )
    const corrected = readAnswer(second, schema)
    return corrected._tag === "Right" ? corrected.right : yield* faulty(corrected.left)
  })

  const complete = Effect.fn("Model.complete")(function* (question: Question) {
    const left = question.deadline - (yield* Clock.currentTimeMillis)
    const late = () =>
      new TimedOut({ error: 'The model did not answer in time. Raise "timeout".', code: "MODEL_TIMEOUT" })
    if (left <= 0) return yield* late()
    const asked = places.withPlace(yield* Shares.Owner)(converse(question))
    return yield* Effect.timeoutFail(asked, { duration: left, onTimeout: late })
  })
  return { complete } satisfies Service
})

/** The model that is set, or none. */
export const layer = (options: ModelOptions | undefined): Layer.Layer<Model> =>
  options === undefined ? Layer.succeed(Model, undefined) : Layer.scoped(Model, make(options))
