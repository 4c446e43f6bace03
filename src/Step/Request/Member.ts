/**
 * Session of the step `request` under the `login` of its definition: in memory, and shared by all calls that this process makes for the
 * run.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { canParse } from "../../Api/Url.ts"
import { Jar } from "../../Login/Jar.ts"
import * as Session from "../../Login/Session.ts"
import type { Exchange } from "../../Login/SignIn.ts"
import type { RunLogin } from "../Context.ts"
import { StepError } from "../StepError.ts"

const maxRedirects = 10

/** Maximum time of one exchange during a sign-in. */
export const timeout = Duration.minutes(1)

/** Function that makes one exchange without redirects, with the cookies of the session. */
export type Single = (
  request: Parameters<Exchange<StepError>>[0],
  cookies: Session.Cookies
) => ReturnType<Exchange<StepError>>

/** Follows redirects as a browser does: a POST continues as GET, except for 307 and 308. */
const following =
  (single: Single) =>
  (cookies: Session.Cookies): Exchange<StepError> => {
    const follow = (request: Parameters<Single>[0], redirects: number): ReturnType<Single> =>
      Effect.flatMap(single(request, cookies), (answer) => {
        const { location } = answer.headers
        if (![301, 302, 303, 307, 308].includes(answer.statusCode) || location === undefined)
          return Effect.succeed(answer)
        const { origin } = new URL(request.url)
        if (!canParse(location, answer.url))
          return new StepError({
            reason: "RedirectFailed",
            message: `${origin} redirects to ${JSON.stringify(location.slice(0, 200))}, which is not an address`
          })
        if (redirects >= maxRedirects)
          return new StepError({
            reason: "RedirectFailed",
            message: `${origin} redirects more than ${maxRedirects} times: check the url of the login`
          })
        const url = new URL(location, answer.url).href
        return follow(
          answer.statusCode < 307 ? { method: "GET", url, headers: {}, body: undefined } : { ...request, url },
          redirects + 1
        )
      })
    return (request) => follow(request, 0)
  }

/** Sessions of runs: all steps of a run share one session. */
const sessions = new WeakMap<RunLogin, Effect.Effect<Session.Session | undefined, StepError>>()

/** Signed-in session of a run; undefined for a login by code, whose cookies are in its browser. */
export const sessionOf = (login: RunLogin, single: Single): Effect.Effect<Session.Session | undefined, StepError> =>
  Effect.suspend(() => {
    const known = sessions.get(login)
    if (known !== undefined) return known
    const made = Effect.runSync(
      Effect.cached(
        Effect.gen(function* () {
          const recipe = yield* login.recipe
          if (recipe === undefined) return undefined
          const session = Session.make(recipe, new Jar(), following(single))
          yield* Effect.mapError(session.signIn, failed)
          return session
        })
      )
    )
    sessions.set(login, made)
    return made
  })

export const failed = ({ message }: { readonly message: string }): StepError =>
  new StepError({ reason: "LoginFailed", scope: "run", message: `login: ${message}` })
