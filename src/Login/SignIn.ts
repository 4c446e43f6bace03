/**
 * Signs in to a site, and recognises its login page when the site shows it again.
 *
 * The caller sends the requests: the engine for crawls, batches and scrapes, the runner for the step `request`. Both follow redirects
 * and store the cookies of all responses in the session's jar.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { loginFields } from "../Api/BrowserSession.ts"
import { canParse, percentDecoded } from "../Api/Url.ts"
import { decodeText } from "../Html/Charset.ts"
import { fillIn, hasForm, type Submission, selects, textOfPage } from "./Form.ts"
import type { Jar } from "./Jar.ts"

/** Describes how to sign in to a site. Contains secrets: it is stored encrypted and never logged. */
export const Recipe = Schema.Struct(loginFields)
export type Recipe = typeof Recipe.Type

/** Reason why a sign-in failed; contains no secrets. */
export class LoginFailed extends Data.TaggedError("LoginFailed")<{ readonly message: string }> {}

export interface Answer {
  /** URL after redirects. */
  readonly url: string
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export type Exchange<E> = (request: Submission) => Effect.Effect<Answer, E>

const get = (url: string): Submission => ({ method: "GET", url, headers: {}, body: undefined })

const htmlOf = ({ body, headers }: Answer): string => decodeText(body, headers["content-type"]).text

const isHtml = ({ headers }: Answer): boolean => /html|^\s*$/i.test(headers["content-type"] ?? "")

const isSameAddress = (one: string, other: string | undefined): boolean => {
  if (other === undefined || !canParse(one) || !canParse(other)) return false
  const [a, b] = [new URL(one), new URL(other)]
  return a.host === b.host && a.pathname.replace(/\/$/, "") === b.pathname.replace(/\/$/, "")
}

/** Maximum bytes of a page that is searched for a login form. */
const maxPage = 2 * 1024 * 1024

/** True if the response is the login page in place of another page. `requested`: URL of the request. */
export const seesLogin = ({ basic, fields, url }: Recipe, requested: string, answer: Answer): boolean => {
  if (answer.statusCode === 401) return true
  if (basic !== undefined) return false
  // A signed-in user may see a page of their own at the URL of the login page.
  if (isSameAddress(requested, url)) return false
  // The root of a site may show the form or the content, so its URL alone does not tell.
  if (isSameAddress(answer.url, url) && canParse(answer.url) && new URL(answer.url).pathname !== "/") return true
  if (fields === undefined || !isHtml(answer) || answer.body.byteLength > maxPage) return false
  return hasForm(htmlOf(answer), { fields })
}

const describe = (answer: Answer): string => {
  const title = /<title[^>]*>([^<]{0,200})/i.exec(htmlOf(answer))?.[1]?.replace(/\s+/g, " ").trim() ?? ""
  const { pathname, origin } = new URL(answer.url)
  return `${origin}${pathname} with status ${answer.statusCode}${title === "" ? "" : ` and the title ${JSON.stringify(title)}`}`
}

/** The part of `success` that the page lacks; undefined if it lacks none. */
const missing = (success: Recipe["success"], answer: Answer): string | undefined => {
  if (success === undefined) return undefined
  if (typeof success === "string") return selects(htmlOf(answer), success) ? undefined : `has no ${success}`
  if ("text" in success)
    return textOfPage(htmlOf(answer)).includes(success.text)
      ? undefined
      : `does not show ${JSON.stringify(success.text)}`
  return answer.url.includes(success.url) ? undefined : `has an address without ${JSON.stringify(success.url)}`
}

/** Headers with CSRF tokens from cookies, as the scripts of some frameworks send them (double submit). */
const doubleSubmit = (jar: Jar, url: URL): Record<string, string> => {
  const xsrf = jar.value(url, "XSRF-TOKEN")
  const django = jar.value(url, "csrftoken")
  return {
    ...(xsrf === undefined ? {} : { "x-xsrf-token": percentDecoded(xsrf) }),
    ...(django === undefined ? {} : { "x-csrftoken": django })
  }
}

/** Signs in with a form: loads its page, sends the form, and checks the response. */
const withForm = <E>(
  url: string,
  fields: NonNullable<Recipe["fields"]>,
  { submit, success }: Recipe,
  jar: Jar,
  exchange: Exchange<E>
): Effect.Effect<void, E | LoginFailed> =>
  Effect.gen(function* () {
    const failed = (reason: string) => new LoginFailed({ message: `The login at ${url} failed: ${reason}.` })
    const page = yield* exchange(get(url))
    if (page.statusCode >= 400) return yield* failed(`its page answered ${page.statusCode}`)
    const submission = fillIn(htmlOf(page), page.url, { fields, submit })
    if (submission._tag === "Left") {
      // The site shows a page for members in place of the login form: already signed in.
      if (success !== undefined && missing(success, page) === undefined) return
      return yield* failed(submission.left)
    }
    const { headers, ...request } = submission.right
    const tokens = request.method === "GET" ? {} : doubleSubmit(jar, new URL(request.url))
    const answer = yield* exchange({ ...request, headers: { ...tokens, ...headers } })
    if (answer.statusCode >= 400)
      return yield* failed(
        `the form was answered with ${describe(answer)}: check the fields, or sign in with \`run\` of the login if the site refuses programs`
      )
    const lack = missing(success, answer)
    if (isHtml(answer) && hasForm(htmlOf(answer), { fields }) && (lack !== undefined || success === undefined))
      return yield* failed(
        `the form was answered with the login page again (${describe(answer)}), so the site did not accept the fields: check user and password`
      )
    if (lack !== undefined)
      return yield* failed(
        `the form was answered with ${describe(answer)}, which ${lack}: \`success\` of the login requires it`
      )
  })

/** Signs in; afterwards the cookies are in the jar. */
export const signIn = <E>(recipe: Recipe, jar: Jar, exchange: Exchange<E>): Effect.Effect<void, E | LoginFailed> =>
  Effect.gen(function* () {
    const { basic, cookies, fields, success, url } = recipe
    if (url !== undefined && fields !== undefined) return yield* withForm(url, fields, recipe, jar, exchange)
    if (cookies !== undefined && jar.cookies().length === 0)
      return yield* new LoginFailed({
        message: "The login failed: all cookies of its file have expired. Export them again."
      })
    if (url === undefined || (basic === undefined && success === undefined)) return
    const answer = yield* exchange(get(url))
    const lack = answer.statusCode >= 400 ? "is not a page for signed-in users" : missing(success, answer)
    if (lack === undefined) return
    const what = basic === undefined ? "cookies" : "user and password"
    return yield* new LoginFailed({
      message: `The login at ${url} failed: it answered with ${describe(answer)}, which ${lack}. Check the ${what}.`
    })
  })

/** `Authorization` header for HTTP basic; only for the origin of the login. */
export const authorizationFor = ({ basic, url }: Recipe, to: URL): string | undefined =>
  basic === undefined || url === undefined || new URL(url).origin !== to.origin
    ? undefined
    : `Basic ${Buffer.from(`${basic.user}:${basic.password}`).toString("base64")}`
