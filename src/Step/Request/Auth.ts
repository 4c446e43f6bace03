/**
 * Credentials of requests: HTTP basic, a bearer token, a key in the query, or OAuth client credentials.
 *
 * An OAuth token is only in memory, and is shared by the calls of a step. It is renewed before it expires, and when an API refuses it.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { PageUrl } from "../../Api/Field.ts"
import { addSecret, addToken } from "../../Telemetry/Redaction.ts"
import { StepError } from "../StepError.ts"
import type { Credentials, Outgoing, Received, SignIn } from "./Exchange.ts"

const Text = Schema.NonEmptyString.annotations({ description: "a string, usually ${{ secrets.NAME }}" })

export const OAuth = Schema.Struct({
  tokenUrl: Schema.propertySignature(PageUrl).annotations({ description: "Address of the token endpoint." }),
  clientId: Schema.propertySignature(Text).annotations({ description: "Client id." }),
  clientSecret: Schema.propertySignature(Text).annotations({ description: "Client secret." }),
  scope: Schema.optional(Schema.String).annotations({ description: "Scopes to ask for, separated by spaces." }),
  parameters: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })).annotations({
    description: "Further parameters, such as `audience`."
  }),
  send: Schema.optionalWith(Schema.Literal("header", "body"), { default: () => "header" as const }).annotations({
    description: "Where id and secret are sent: header (HTTP basic), or body for services that know no other way."
  })
})
export type OAuth = typeof OAuth.Type

export const Auth = Schema.Struct({
  basic: Schema.optional(
    Schema.Struct({
      user: Schema.propertySignature(Schema.String).annotations({ description: "User name." }),
      password: Schema.propertySignature(Schema.String).annotations({ description: "Password; may be empty." })
    })
  ).annotations({ description: "User and password for HTTP basic authentication." }),
  bearer: Schema.optional(Text).annotations({ description: "A token, sent as `Authorization: Bearer …`." }),
  query: Schema.optional(Schema.Record({ key: Schema.String, value: Text })).annotations({
    description: "Keys that are sent in the query. Put a key that is sent in a header into `headers`."
  }),
  oauth: Schema.optional(OAuth).annotations({
    description:
      "OAuth 2 client credentials: Sluice fetches a token, and a new one before it expires or when it is refused."
  })
}).pipe(
  Schema.filter((auth) => {
    const ways = Object.entries(auth).flatMap(([name, value]) => (value === undefined ? [] : [name]))
    return (
      ways.length === 1 ||
      `needs one of basic, bearer, query and oauth${ways.length > 1 ? `, not ${ways.join(" and ")}` : ""}`
    )
  })
)
export type Auth = typeof Auth.Type

const none: Credentials = { headers: {}, query: {} }

const authorization = (value: string, add = addSecret): Credentials => {
  add(value.slice(value.indexOf(" ") + 1))
  return { headers: { authorization: value }, query: {} }
}

const base64 = (text: string): string => Buffer.from(text).toString("base64")

const Token = Schema.parseJson(
  Schema.Struct({
    access_token: Schema.NonEmptyString,
    expires_in: Schema.optional(Schema.Unknown)
  })
)
const decodeToken = Schema.decodeUnknownEither(Token)

/** A token is renewed this many milliseconds before it expires, because requests with it may take that long. */
const renewBefore = 30_000

/** Percent-encoding of RFC 6749, 2.3.1, for id and secret in HTTP Basic authentication. */
const formEncoded = (text: string): string => new URLSearchParams({ a: text }).toString().slice(2)

const tokenRequest = ({ clientId, clientSecret, parameters = {}, scope, send, tokenUrl }: OAuth): Outgoing => {
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    ...(scope === undefined ? {} : { scope }),
    ...parameters
  })
  if (send === "body") {
    form.set("client_id", clientId)
    form.set("client_secret", clientSecret)
  }
  return {
    method: "POST",
    url: tokenUrl,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: form.toString(),
    isRead: true,
    timeout: 60_000
  }
}

/** Signs in with OAuth; `ask` sends a request for a token with these headers. */
const withOAuth = (
  oauth: OAuth,
  ask: (outgoing: Outgoing, own: Credentials) => Effect.Effect<Received, StepError>
): SignIn => {
  const { clientId, clientSecret, send } = oauth
  const own =
    send === "body" ? none : authorization(`Basic ${base64(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`)}`)
  addSecret(clientSecret)
  const lock = Effect.unsafeMakeSemaphore(1)
  let token: { readonly credentials: Credentials; readonly until: number } | undefined
  const fetch = Effect.gen(function* () {
    // Without its status: a sign-in that answers 404 is not a page behind the last one.
    const { text } = yield* Effect.mapError(
      ask(tokenRequest(oauth), own),
      ({ cause, exitCode, message, reason, scope }) => new StepError({ cause, exitCode, message, reason, scope })
    )
    const decoded = decodeToken(text)
    if (Either.isLeft(decoded)) {
      const message = `${oauth.tokenUrl}: the answer has no access_token: check clientId, scope and send`
      return yield* new StepError({ reason: "SignInFailed", scope: "run", message })
    }
    const { access_token, expires_in } = decoded.right
    const now = yield* Clock.currentTimeMillis
    // In seconds; some services return "3600 s", or an empty string.
    const seconds = Number.parseFloat(String(expires_in))
    const lifetime = Number.isNaN(seconds) ? Number.POSITIVE_INFINITY : seconds * 1000
    // A token with a lifetime shorter than this margin is used for half of its lifetime.
    token = {
      credentials: authorization(`Bearer ${access_token}`, addToken),
      until: now + Math.max(lifetime - renewBefore, lifetime / 2)
    }
    return token.credentials
  })
  return (refused) =>
    lock.withPermits(1)(
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (token?.credentials === refused) token = undefined
        return token === undefined || now >= token.until ? fetch : Effect.succeed(token.credentials)
      })
    )
}

/** Makes the sign-in of a step. */
export const signIn = (
  auth: Auth | undefined,
  ask: (outgoing: Outgoing, own: Credentials) => Effect.Effect<Received, StepError>
): SignIn => {
  const { basic, bearer, oauth, query } = auth ?? {}
  if (oauth !== undefined) return withOAuth(oauth, ask)
  for (const secret of [basic?.password, bearer, ...Object.values(query ?? {})])
    if (secret !== undefined) addSecret(secret)
  const fixed =
    basic !== undefined
      ? authorization(`Basic ${base64(`${basic.user}:${basic.password}`)}`)
      : bearer !== undefined
        ? authorization(`Bearer ${bearer}`)
        : { headers: {}, query: query ?? {} }
  return () => Effect.succeed(fixed)
}
