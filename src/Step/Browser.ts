/** `browser`: opens a browser session for the steps after it. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { createFields } from "../Api/BrowserSession.ts"
import { Browser, scopedSession } from "../Client/Browser.ts"
import * as Step from "../Step.ts"
import { ofFile } from "./Access.ts"
import { withoutSessionLinks } from "./BrowserSession.ts"
import { call } from "./Call.ts"
import * as Cost from "./Cost.ts"
import { oneRequest } from "./Estimate.ts"
import * as Code from "./ProjectCode.ts"
import * as Need from "./Requirements.ts"
import { BudgetReached } from "./StepError.ts"

const { origin: _, integration: __, ...fields } = createFields

/** Maximum duration of the function in `run`; after that it counts as hanging. */
const patience = Duration.minutes(5)
/** Maximum wait for a session to end: the service ends it later in any case. */
const goodbye = Duration.seconds(15)

/** Maximum lifetime of a session in seconds. */
const longestLife = 3600

/** Cost of a session. It ends with the run, at the latest after its `ttl`, so its duration is unknown beforehand. */
const cost = (fields: Need.Fields): Cost.Cost => {
  const { ttl } = Need.mapping(fields)
  const isUnknown = fields === undefined || (ttl !== undefined && typeof ttl !== "number")
  const seconds = isUnknown ? longestLife : typeof ttl === "number" ? ttl : createFields.ttl.defaultValue
  return [{ good: "browser", least: 1, most: Math.ceil(seconds / 60) }]
}

/** Purchase of one minute of session time. */
const minute: Step.Buying = { cost: () => Cost.one("browser") }

/** Delay after the start of a minute until the next one is reserved. It leaves time to close the session before the next minute begins. */
const lookAhead = "45 seconds"

/**
 * Books each minute as it begins, if its price is known: the service does not report it. The next minute is reserved ahead; if the budget
 * is too small for it, the session is closed and the run stops.
 */
const bookMinutes = (context: Step.Context, first: Step.Reservation, close: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const { rate } = yield* Cost.Tariff
    const price = rate("browser")?.credits
    const book = (reservation: Step.Reservation) =>
      price === undefined
        ? reservation.release
        : Effect.zipRight(
            context.spend(price),
            Effect.sync(() => {
              reservation.spend(price, 0)
              reservation.end()
            })
          )
    yield* book(first)
    yield* Effect.gen(function* () {
      yield* Effect.sleep(lookAhead)
      const next = yield* context.reserve("session", minute)
      yield* Effect.sleep(Duration.subtract("1 minute", lookAhead))
      yield* book(next)
    }).pipe(
      Effect.forever,
      Effect.catchAll((error) =>
        error instanceof BudgetReached ? Effect.zipRight(close, context.usedUp) : Effect.void
      ),
      Effect.forkScoped
    )
  })

export const browser = Step.make({
  key: "browser",
  summary:
    "Opens a browser session when the first step needs it, and closes it when the run is over. Other steps reach it by ${{ steps.<id>.output }}, which has its id, cdpUrl, liveViewUrl and interactiveLiveViewUrl. `run` names a function of your project, `({ cdpUrl, with, … }) => result`, that may return a Promise. It is called once the session is open, before any other step uses it, for example to log in; its result is `output.result`. A resumed run opens a new session.",
  example: `id: session
browser: { ttl: 900, profile: { name: shop }, run: ./login.ts }`,
  config: Schema.Struct({
    ...fields,
    run: Schema.optional(
      Code.FunctionReference.annotations({
        description: "a function of the project that is given the session: its file, or { module, export, with }"
      })
    ).annotations({ description: "Called with the session before other steps use it: to log in, for example." })
  }),
  cost,
  service: { request: "POST /v2/browser", documented: true },
  estimate: oneRequest,
  reads: (fields) =>
    ofFile("module")(Need.mapping(fields).run).map((found) => ({ ...found, path: ["run", ...found.path] })),
  needs: () => [{ ability: "sessions", path: [], what: "a browser session" }],
  behaviour: {
    kind: "value",
    fleeting: true,
    get: ({ run, ...request }, context) =>
      Effect.gen(function* () {
        // Load the code first: if it may not run, nothing must be paid for.
        const begin = run === undefined ? undefined : yield* Code.loadFunction("browser", run, context)
        const client = yield* Browser
        const first = yield* context.reserve("session", minute)
        const { success: ___, ...session } = yield* call(
          scopedSession(request, {
            closeTimeout: goodbye,
            onUnclosed: (message) => Effect.logWarning(`${context.id}: the browser session was not closed: ${message}`)
          })
        ).pipe(Effect.onError(() => first.release))
        yield* bookMinutes(context, first, Effect.ignore(client.delete(session.id)))
        if (begin === undefined || run === undefined) return session
        const result = yield* Effect.tryPromise({
          try: async () => begin({ ...session, with: run.with }),
          catch: (thrown) => Code.functionFailed(run.module, withoutSessionLinks(thrown, Object.values(session)))
        }).pipe(
          Effect.timeoutFail({
            duration: patience,
            onTimeout: () =>
              new Step.StepError({
                reason: "Timeout",
                message: `${run.module}: the function did not finish within ${Duration.format(patience)}`
              })
          })
        )
        return { ...session, result }
      })
  }
})
