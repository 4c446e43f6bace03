/** Questions to the person at the client, if it can ask them and the server lets it. */
import * as Effect from "effect/Effect"
import { McpSetup, Session } from "./Session.ts"

/** True or false as the person answers; undefined where nobody can be asked. */
export const approval = (
  question: ReadonlyArray<string>
): Effect.Effect<boolean | undefined, never, McpSetup | Session> =>
  Effect.gen(function* () {
    const { asksClient } = yield* McpSetup
    const { ask } = yield* Session
    return asksClient ? yield* ask(question.join("\n")) : undefined
  })
