/** Remote browser sessions. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { Auth } from "./Auth.ts"
import {
  BadRequest,
  Conflict,
  Forbidden,
  Gone,
  InsufficientStorage,
  NotFound,
  RateLimited,
  Unavailable
} from "./Errors.ts"
import {
  defaulted,
  described,
  lenient,
  lenientBody,
  maybe,
  numeric,
  OptionalBody,
  open,
  senderFields
} from "./Field.ts"

/** Storage that outlives a session: cookies, local storage, IndexedDB. */
export const profileFields = {
  name: described(Schema.String.pipe(Schema.length({ min: 1, max: 128 })), "Sessions of the same name share storage."),
  saveChanges: defaulted(
    described(Schema.Boolean, "Save the state on close; one saver at a time for each profile."),
    true
  )
}
export const Profile = Schema.Struct(profileFields).annotations({ identifier: "BrowserProfile", ...lenient })

export const createFields = {
  ttl: defaulted(described(Schema.Int.pipe(Schema.between(30, 3600)), "Lifetime in seconds."), 600),
  activityTtl: defaulted(
    described(Schema.Int.pipe(Schema.between(10, 3600)), "Seconds without activity before the end."),
    300
  ),
  streamWebView: defaulted(described(Schema.Boolean, "Offer a live view of the session."), true),
  profile: Schema.optional(Profile).annotations({ description: "Storage that the session starts with." }),
  ...senderFields
}
export const CreateSession = Schema.Struct(createFields).annotations({
  identifier: "CreateBrowserSession",
  ...lenientBody
})
export type CreateSession = typeof CreateSession.Type

const sessionFields = {
  id: Schema.String,
  cdpUrl: maybe(Schema.String),
  liveViewUrl: maybe(Schema.String),
  interactiveLiveViewUrl: maybe(Schema.String),
  expiresAt: maybe(Schema.String)
}
export const Session = Schema.Struct({ success: Schema.Boolean, ...sessionFields }).annotations({
  identifier: "BrowserSession",
  ...open
})
export type Session = typeof Session.Type

/** Session in a list: `active`, or `destroyed` and without links. */
export const ListedSession = Schema.Struct({
  ...sessionFields,
  status: maybe(Schema.String),
  streamWebView: maybe(Schema.Boolean),
  createdAt: maybe(Schema.String),
  lastActivity: maybe(Schema.String),
  warning: maybe(described(Schema.String, "Why the profile of an ended session was not saved."))
}).annotations(open)

export const sessionStatuses = ["active", "destroyed"] as const

export const ListQuery = Schema.Struct({
  status: Schema.optional(
    Schema.Literal(...sessionStatuses).annotations({
      description:
        "Only sessions of this status: active by default; destroyed are those that ended within half an hour."
    })
  )
})
export type ListQuery = typeof ListQuery.Type

export const Sessions = Schema.Struct({
  success: Schema.Boolean,
  sessions: Schema.Array(ListedSession)
}).annotations({ identifier: "BrowserSessions", ...open })

export const Deleted = Schema.Struct({
  success: Schema.Boolean,
  warning: maybe(described(Schema.String, "Why the session's profile was not saved."))
}).annotations({ identifier: "Deleted", ...open })

export const executeFields = {
  code: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(100_000)),
  language: defaulted(Schema.Literal("node", "python", "bash"), "node"),
  timeout: defaulted(described(Schema.Int.pipe(Schema.between(1, 300)), "Seconds."), 30),
  ...senderFields
}
export const Execute = Schema.Struct(executeFields).annotations({ identifier: "BrowserExecute", ...lenientBody })
export type Execute = typeof Execute.Type

export const Executed = Schema.Struct({
  success: Schema.Boolean,
  stdout: maybe(Schema.String),
  stderr: maybe(Schema.String),
  result: maybe(Schema.Unknown),
  exitCode: maybe(numeric),
  killed: maybe(Schema.Boolean),
  error: maybe(Schema.String)
}).annotations({ identifier: "BrowserExecuted", ...open })

const path = Schema.Struct({ id: Schema.String })

/** Group `browser`. */
export class BrowserGroup extends HttpApiGroup.make("browser")
  .add(
    HttpApiEndpoint.post("create", "/v2/browser")
      .annotate(OpenApi.Summary, "Open a browser session")
      .annotate(OptionalBody, true)
      .setPayload(CreateSession)
      .addSuccess(Session)
      .addError(Conflict.schema)
      .addError(InsufficientStorage.schema)
      .addError(RateLimited.schema)
      .addError(Unavailable.schema)
  )
  .add(
    HttpApiEndpoint.get("list", "/v2/browser")
      .annotate(OpenApi.Summary, "The open sessions")
      .setUrlParams(ListQuery)
      .addSuccess(Sessions)
  )
  .add(
    HttpApiEndpoint.del("delete", "/v2/browser/:id")
      .annotate(OpenApi.Summary, "End a session")
      .setPath(path)
      .addSuccess(Deleted)
      .addError(NotFound.schema)
      .addError(Gone.schema)
  )
  .add(
    HttpApiEndpoint.post("execute", "/v2/browser/:id/execute")
      .annotate(OpenApi.Summary, "Run code in a session")
      .setPath(path)
      .setPayload(Execute)
      .addSuccess(Executed)
      .addError(BadRequest.schema)
      .addError(NotFound.schema)
      .addError(Gone.schema)
      .addError(Forbidden.schema)
      .addError(RateLimited.schema)
  )
  .middleware(Auth)
  .annotate(OpenApi.Title, "Browser") {}
