/** One request on its way: asked again when the connection went away before there was an answer. */
import { EventEmitter } from "node:events"
import * as Effect from "effect/Effect"
import type { Dispatcher } from "undici"
import { isDropped } from "./FetchFailure.ts"
import { askingFor } from "./Names.ts"

export interface Question extends Pick<Dispatcher.RequestOptions, "origin" | "path" | "headers"> {
  /** The team that the name of the host is looked up for. */
  readonly team: string
}

/** So many times more than once; a GET may be sent again. */
const attempts = 2

const send = (sender: Dispatcher, { team, ...question }: Question): Effect.Effect<Dispatcher.ResponseData, unknown> =>
  Effect.async((resume) => {
    // Stands in for an AbortController, which costs as much as the request.
    const signal = new EventEmitter()
    askingFor(team, () =>
      sender.request({ ...question, method: "GET", signal }, (error, answer) =>
        resume(error === null ? Effect.succeed(answer) : Effect.fail(error))
      )
    )
    return Effect.sync(() => void signal.emit("abort"))
  })

/** The status, the headers, and a body that nobody has begun to read. */
export const ask = (
  sender: Dispatcher,
  question: Question,
  left = attempts
): Effect.Effect<Dispatcher.ResponseData, unknown> =>
  Effect.catchAll(send(sender, question), (cause) =>
    left > 0 && isDropped(cause) ? ask(sender, question, left - 1) : Effect.fail(cause)
  )
