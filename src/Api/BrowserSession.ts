/** Remote browser sessions. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import type * as Types from "../Generated/Api.ts"
import { Auth } from "./Auth.ts"
import { charges } from "./Charges.ts"
import {
  anyOf,
  BadRequest,
  Conflict,
  Forbidden,
  Gone,
  InsufficientStorage,
  NotFound,
  RateLimited,
  TimedOut,
  TooLarge,
  Unavailable,
  Unprocessable
} from "./Errors.ts"
import {
  characters,
  defaulted,
  described,
  field,
  lenient,
  lenientBody,
  maybe,
  numeric,
  OptionalBody,
  open,
  PageUrl,
  senderFields,
  success,
  typed
} from "./Field.ts"

/** Fields of a browser profile: storage that outlives a session, with cookies, local storage and IndexedDB. */
export const profileFields = {
  name: described(characters(128, 1), "Name of the profile: sessions that open it share cookies and storage."),
  saveChanges: defaulted(
    described(
      Schema.Boolean,
      "Save the profile when the session closes; only one session at a time may save a profile."
    ),
    true
  )
}
export const Profile = Schema.Struct(profileFields).annotations({ identifier: "BrowserProfile", ...lenient })

export const createFields = {
  ttl: defaulted(described(Schema.Int.pipe(Schema.between(30, 3600)), "Lifetime in seconds."), 600),
  activityTtl: defaulted(
    described(Schema.Int.pipe(Schema.between(10, 3600)), "Seconds without activity after which the session ends."),
    300
  ),
  streamWebView: defaulted(described(Schema.Boolean, "Offer a live view of the session."), true),
  profile: Schema.optional(Profile).annotations({
    description: "Browser profile whose cookies and storage the session starts with."
  }),
  ...senderFields
}
export const CreateSession = Schema.Struct(createFields).annotations({
  identifier: "CreateBrowserSession",
  ...lenientBody
})
export type CreateSession = Types.CreateBrowserSession

const sessionFields = {
  id: field(Schema.String, "Id of the session."),
  cdpUrl: maybe(
    Schema.String,
    "WebSocket address for Playwright, Puppeteer and other CDP clients. It gives full control of the session."
  ),
  liveViewUrl: maybe(Schema.String, "Address of a page that shows the session."),
  interactiveLiveViewUrl: maybe(Schema.String, "Address of a page that shows the session and lets you control it."),
  expiresAt: maybe(Schema.String, "Latest time at which the session ends (ISO 8601).")
}
export const Session = Schema.Struct({ success, ...sessionFields }).annotations({
  identifier: "BrowserSession",
  ...open
})
export type Session = Types.BrowserSession

/** Schema of a session in a list. An `active` session has links; a `destroyed` one has none. */
export const ListedSession = Schema.Struct({
  ...sessionFields,
  status: maybe(Schema.String, "`active` or `destroyed`."),
  streamWebView: maybe(Schema.Boolean, "True if the session has a live view."),
  createdAt: maybe(Schema.String, "Start time (ISO 8601)."),
  lastActivity: maybe(Schema.String, "Time of the last use (ISO 8601)."),
  warning: maybe(described(Schema.String, "Why the profile of an ended session was not saved."))
}).annotations(open)

export const sessionStatuses = ["active", "destroyed"] as const

export const ListQuery = Schema.Struct({
  status: Schema.optional(
    Schema.Literal(...sessionStatuses).annotations({
      description:
        "List only sessions with this status: active (the default), or destroyed for sessions that ended in the last 30 minutes."
    })
  )
})
export type ListQuery = typeof ListQuery.Type

export const Sessions = Schema.Struct({
  success,
  sessions: field(Schema.Array(ListedSession), "Sessions of the team.")
}).annotations({ identifier: "BrowserSessions", ...open })

export const Deleted = Schema.Struct({
  success,
  warning: maybe(described(Schema.String, "Why the session's profile was not saved."))
}).annotations({ identifier: "Deleted", ...open })

export const executeFields = {
  code: field(characters(100_000, 1), "Code to run beside the session."),
  language: defaulted(described(Schema.Literal("node", "python", "bash"), "Language of the code."), "node"),
  timeout: defaulted(described(Schema.Int.pipe(Schema.between(1, 300)), "Maximum time, in seconds."), 30),
  ...senderFields
}
export const Execute = Schema.Struct(executeFields).annotations({ identifier: "BrowserExecute", ...lenientBody })
export type Execute = Types.BrowserExecute

export const Executed = Schema.Struct({
  success,
  stdout: maybe(Schema.String, "Standard output of the code."),
  stderr: maybe(Schema.String, "Standard error output of the code."),
  result: maybe(Schema.Unknown, "Value that the code returned."),
  exitCode: maybe(numeric, "Exit code of the process."),
  killed: maybe(Schema.Boolean, "True if the code was stopped because it reached its `timeout`."),
  error: maybe(Schema.String, "Why the code failed.")
}).annotations({ identifier: "BrowserExecuted", ...open })

const words = Schema.NonEmptyString

export const savedCookie = Schema.Struct({
  name: field(Schema.String, "Name."),
  value: field(Schema.String, "Value."),
  domain: field(Schema.String, "Host that the cookie is sent to; with a leading dot, also its subdomains."),
  path: Schema.optional(Schema.String).annotations({
    description: "Path below which the cookie is sent; / by default."
  }),
  expires: Schema.optional(Schema.Number).annotations({
    description: "Expiry in seconds since 1970; without it, or with -1, the cookie does not expire."
  }),
  secure: Schema.optional(Schema.Boolean).annotations({ description: "True if the cookie is sent over https only." }),
  httpOnly: Schema.optional(Schema.Boolean).annotations({ description: "True if scripts cannot read the cookie." }),
  sameSite: Schema.optional(Schema.Literal("Strict", "Lax", "None")).annotations({
    description: "Whether browsers send the cookie with requests from other sites; without it, they treat it as Lax."
  }),
  partitionKey: Schema.optional(
    Schema.Union(
      Schema.String,
      Schema.Struct({
        topLevelSite: field(
          Schema.String,
          "Site of the top-level page, the one in the address bar, when the cookie was set, such as https://shop.example."
        ),
        hasCrossSiteAncestor: field(
          Schema.Boolean,
          "True if the cookie was set in a frame of another site than topLevelSite, or in a frame below such a one."
        )
      })
    )
  ).annotations({
    description:
      "Partition of a partitioned cookie, as Playwright or Chromium write it: the site of the top-level page. Requests without a browser send the cookie only if that is their own site."
  })
})

/** Fields that describe how to sign in to a site. They contain secrets: the engine stores them encrypted. */
export const loginFields = {
  url: Schema.optional(PageUrl).annotations({
    description: "Address of the login page, or of a page that requires HTTP basic authentication."
  }),
  fields: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })).annotations({
    description: "Values for the form, by the name or id of each field."
  }),
  submit: Schema.optional(words).annotations({
    description: "Button that submits the form: its label, its name or a CSS selector."
  }),
  success: Schema.optional(
    Schema.Union(words, Schema.Struct({ text: words }), Schema.Struct({ url: words }))
  ).annotations({
    description:
      "How to recognise a successful sign-in, from the page after it: a CSS selector, `{ text }`, or `{ url }` (a part of its address)."
  }),
  basic: Schema.optional(
    Schema.Struct({ user: field(Schema.String, "User name."), password: field(Schema.String, "Password.") })
  ).annotations({
    description: "User and password for HTTP basic authentication, sent to the origin of `url` only."
  }),
  cookies: Schema.optional(Schema.Array(savedCookie)).annotations({
    description: "Cookies, in the format of a Playwright storage state."
  })
}

export const SignIn = Schema.Struct({
  name: described(characters(128, 1), "Name of the profile that holds the cookies."),
  keep: defaulted(
    described(
      Schema.Boolean,
      "True keeps the profile until you delete it; false deletes it three days after its last use."
    ),
    false
  ),
  ...loginFields
}).annotations({ identifier: "BrowserLogin", ...lenientBody })
export type SignIn = Types.BrowserLogin

export const SignedIn = Schema.Struct({
  success,
  cookies: field(Schema.Number, "Number of cookies in the profile.")
}).annotations({ identifier: "BrowserSignedIn", ...open })

const path = Schema.Struct({ id: Schema.String })

/** Group of the API's `browser` endpoints. */
export class BrowserGroup extends HttpApiGroup.make("browser")
  .add(
    HttpApiEndpoint.post("create", "/v2/browser")
      .annotateContext(charges("lookup", "browser"))
      .annotate(OpenApi.Summary, "Open a browser session")
      .annotate(OptionalBody, true)
      .setPayload(CreateSession)
      .addSuccess(typed<Types.BrowserSession>()(Session))
      .addError(anyOf(Conflict, InsufficientStorage, RateLimited, Unavailable))
  )
  .add(
    HttpApiEndpoint.get("list", "/v2/browser")
      .annotateContext(charges("lookup"))
      .annotate(OpenApi.Summary, "List the open sessions")
      .setUrlParams(ListQuery)
      .addSuccess(typed<Types.BrowserSessions>()(Sessions))
  )
  .add(
    HttpApiEndpoint.del("delete", "/v2/browser/:id")
      .annotateContext(charges("lookup"))
      .annotate(OpenApi.Summary, "End a session")
      .setPath(path)
      .addSuccess(typed<Types.Deleted>()(Deleted))
      .addError(anyOf(NotFound, Gone))
  )
  .add(
    HttpApiEndpoint.post("execute", "/v2/browser/:id/execute")
      .annotateContext(charges("lookup"))
      .annotate(OpenApi.Summary, "Run code in a session")
      .setPath(path)
      .setPayload(Execute)
      .addSuccess(typed<Types.BrowserExecuted>()(Executed))
      .addError(anyOf(BadRequest, NotFound, Gone, Forbidden, RateLimited))
  )
  .add(
    HttpApiEndpoint.post("signIn", "/v2/browser/login")
      .annotateContext(charges("lookup"))
      .annotate(OpenApi.Summary, "Sign in to a site")
      .annotate(
        OpenApi.Description,
        "Signs in, unless the profile is already signed in, and keeps the cookies in the profile. Requests for pages with `profile.name: login:NAME` send these cookies. An extension of the local engine."
      )
      .setPayload(SignIn)
      .addSuccess(typed<Types.BrowserSignedIn>()(SignedIn))
      .addError(anyOf(Forbidden, TimedOut, TooLarge, Unprocessable))
  )
  .add(
    HttpApiEndpoint.del("signOut", "/v2/browser/login/:id")
      .annotateContext(charges("lookup"))
      .annotate(OpenApi.Summary, "Delete the cookies of a login")
      .annotate(
        OpenApi.Description,
        "Deletes the profile of a login that was started without `keep`. An extension of the local engine."
      )
      .setPath(path)
      .addSuccess(typed<Types.Deleted>()(Deleted))
      .addError(NotFound.schema)
  )
  .middleware(Auth)
  .annotate(OpenApi.Title, "Browser") {}
