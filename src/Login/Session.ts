/**
 * A signed-in session: its cookies, shared by parallel requests, and its renewal.
 *
 * - If a site shows its login page again, signs in once for all requests that see it. If no member page has come after a sign-in,
 *   does not sign in again, because that could lock the account. From then on, every page that needs a sign-in fails.
 * - If a site replaces its cookies with each response, requests in flight fail. Once this was seen, requests are sent one at a time.
 */
import * as Effect from "effect/Effect"
import { canParse } from "../Api/Url.ts"
import type { Jar, SavedCookie } from "./Jar.ts"
import { type Answer, authorizationFor, type Exchange, LoginFailed, type Recipe, seesLogin, signIn } from "./SignIn.ts"

/** State of the session at the time a request is sent. */
export interface Sent {
  readonly signIns: number
  readonly replacements: number
}

/**
 * Sends one exchange with the session's cookies, and with HTTP basic authentication if the login has it; stores the response's cookies.
 * Waits for a sign-in in progress.
 */
export type SendSigned = <A, E, R>(
  url: URL,
  send: (cookie: string | undefined, authorization: string | undefined) => Effect.Effect<A, E, R>,
  setCookies: (answer: A) => string | ReadonlyArray<string> | undefined
) => Effect.Effect<A, E, R>

/** Cookies of a session, as requests use them. */
export interface Cookies {
  readonly jar: Jar
  /**
   * Gives the function that sends one request and its redirects. If a new sign-in begins meanwhile, cookies that their answers set are
   * ignored: they would end the new session.
   */
  readonly begin: () => SendSigned
}

export interface Session extends Cookies {
  readonly signIn: Effect.Effect<void, LoginFailed>
  /**
   * Waits for a sign-in in progress. Gives the function that adds what a browser, which starts with the cookies of the jar, has changed.
   * It adds nothing if a new sign-in begins meanwhile.
   */
  readonly lend: Effect.Effect<(changed: ReadonlyArray<SavedCookie>) => void>
  readonly sent: () => Sent
  /** True if the response is the login page in place of the requested page. */
  readonly seesLogin: (requested: string, answer: Answer) => boolean
  /** True for a host that the login applies to: the session has cookies for the host, or its login page is there. */
  readonly concerns: (url: string) => boolean
  /** Signs in again, unless that has happened since the request was sent; true if it did. Fails if not allowed or not possible. */
  readonly renew: (sent: Sent) => Effect.Effect<boolean, LoginFailed>
  /** Call for a page that still shows the login page after a new sign-in: perhaps this account may not see the page. */
  readonly noteRefused: () => void
  /** Call for a page that only a signed-in user sees; `renewed`: the page came only after a new sign-in. */
  readonly noteMember: (renewed?: boolean) => void
  /** Call when another run begins to use the session: refusals in earlier runs do not count for it. */
  readonly noteRun: () => void
}

const failed = (reason: string) => new LoginFailed({ message: reason })

/** Pages in a row for which a new sign-in may have no effect. The account may not be allowed to see them, and each costs a sign-in. */
const maxRefused = 5

/** Removes the values of form fields from a message: a GET form has them in its URL. */
const scrubbed = ({ basic, fields = {} }: Recipe, text: string): string =>
  [...Object.values(fields), basic?.password ?? ""]
    .flatMap((value) => [value, encodeURIComponent(value), new URLSearchParams({ a: value }).toString().slice(2)])
    .filter((value) => value.length > 2)
    .sort((a, b) => b.length - a.length)
    .reduce((now, value) => now.replaceAll(value, "***"), text)

/** Makes a session. `exchangeOf` returns the function that sends its requests; `signedIn` is run after each sign-in. */
export const make = <E extends { readonly message: string }>(
  recipe: Recipe | undefined,
  jar: Jar,
  exchangeOf: (cookies: Cookies) => Exchange<E>,
  signedIn: Effect.Effect<void> = Effect.void
): Session => {
  const turn = Effect.unsafeMakeSemaphore(1)
  const renewal = Effect.unsafeMakeSemaphore(1)
  const open = Effect.unsafeMakeLatch(true)
  let isAlone = false
  /** Number of the current sign-in. */
  let signIns = 0
  let hasWorked = true
  let refusal: LoginFailed | undefined
  /** Pages that still showed the login page after a new sign-in, counted since a sign-in last helped. */
  let refused = 0
  const begin = (): SendSigned => {
    let before: number | undefined
    return (url, send, setCookies) =>
      Effect.suspend(() => {
        before ??= signIns
        const authorization = recipe === undefined ? undefined : authorizationFor(recipe, url)
        return Effect.tap(send(jar.header(url), authorization), (answer) =>
          Effect.sync(() => {
            if (signIns === before) jar.read(url, setCookies(answer))
          })
        )
      })
  }
  const cookies: Cookies = {
    jar,
    begin: () => {
      const ask = begin()
      return (...asked) =>
        Effect.zipRight(
          open.await,
          Effect.suspend(() => (isAlone ? turn.withPermits(1)(ask(...asked)) : ask(...asked)))
        )
    }
  }
  const exchange = exchangeOf({ jar, begin })
  const concerns = (url: string): boolean =>
    canParse(url) &&
    (jar.header(new URL(url)) !== undefined ||
      (recipe?.url !== undefined && new URL(recipe.url).hostname === new URL(url).hostname))
  const enter = Effect.suspend(() => {
    if (recipe === undefined) return Effect.void
    signIns += 1
    if (recipe.fields !== undefined || recipe.cookies !== undefined) jar.clear()
    jar.add(recipe.cookies ?? [])
    return signIn(recipe, jar, exchange).pipe(
      Effect.mapError((cause) =>
        cause instanceof LoginFailed
          ? cause
          : failed(`The login at ${recipe.url} failed: ${scrubbed(recipe, cause.message)}`)
      ),
      Effect.zipRight(signedIn)
    )
  })
  const again = Effect.suspend((): Effect.Effect<void, LoginFailed> => {
    if (refusal === undefined && (recipe === undefined || (recipe.fields === undefined && recipe.basic === undefined)))
      refusal = failed(
        "The site showed its login page: the cookies of the login have expired, and a login by cookies or run is not repeated automatically. Export the cookies again, and remove a saved profile with sluice profile rm."
      )
    if (refusal === undefined && !hasWorked)
      refusal = failed(
        `The site showed its login page again right after a new sign-in at ${recipe?.url}. Sluice does not sign in once more, so that the account is not locked.`
      )
    if (refusal !== undefined) return refusal
    if (refused >= maxRefused)
      return failed(
        `The site shows its login page in place of this page. A new sign-in did not help for ${refused} other pages, so it was not tried again for this one.`
      )
    hasWorked = false
    return Effect.tapError(Effect.ensuring(Effect.zipRight(open.close, enter), open.open), (cause) =>
      Effect.sync(() => {
        refusal = cause
      })
    )
  })
  return {
    ...cookies,
    signIn: enter,
    lend: Effect.map(open.await, () => {
      const before = signIns
      return (changed) => {
        if (signIns === before) jar.add(changed)
      }
    }),
    sent: () => ({ signIns, replacements: jar.replacements }),
    concerns,
    seesLogin: (requested, answer) =>
      recipe !== undefined &&
      (answer.statusCode !== 401 || concerns(answer.url)) &&
      seesLogin(recipe, requested, answer),
    renew: (sent) =>
      renewal.withPermits(1)(
        Effect.suspend(() => {
          if (sent.signIns !== signIns) return Effect.succeed(false)
          if (jar.replacements !== sent.replacements) isAlone = true
          return Effect.as(again, true)
        })
      ),
    noteMember: (renewed) => {
      hasWorked = true
      if (renewed === true) refused = 0
    },
    noteRefused: () => {
      refused++
    },
    noteRun: () => {
      hasWorked = true
      refusal = undefined
      refused = 0
    }
  }
}
