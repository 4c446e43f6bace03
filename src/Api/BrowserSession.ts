/** Remote browser sessions. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import type * as Types from "../Generated/Api.ts"
import { Auth } from "./Auth.ts"
import { charges } from "./Charges.ts"
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
  senderFields,
  success,
  typed
} from "./Field.ts"

/** Storage that outlives a session: cookies, local storage, IndexedDB. */
export const profileFields = {
  name: described(characters(128, 1), "Sessions of the same name share storage."),
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
export type CreateSession = Types.CreateBrowserSession

const sessionFields = {
  id: field(Schema.String, "Id of the session."),
  cdpUrl: maybe(
    Schema.String,
    "WebSocket address for Playwright, Puppeteer and other CDP clients. It gives full control of the session."
  ),
  liveViewUrl: maybe(Schema.String, "Address of a page that shows the session."),
  interactiveLiveViewUrl: maybe(Schema.String, "Address of a page that shows the session and takes input."),
  expiresAt: maybe(Schema.String, "Time at which the session ends at the latest (ISO 8601).")
}
export const Session = Schema.Struct({ success, ...sessionFields }).annotations({
  identifier: "BrowserSession",
  ...open
})
export type Session = Types.BrowserSession

/** Session in a list: `active`, or `destroyed` and without links. */
export const ListedSession = Schema.Struct({
  ...sessionFields,
  status: maybe(Schema.String, "`active` or `destroyed`."),
  streamWebView: maybe(Schema.Boolean, "True if it has a live view."),
  createdAt: maybe(Schema.String, "Time of its start (ISO 8601)."),
  lastActivity: maybe(Schema.String, "Time of its last use (ISO 8601)."),
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
  stdout: maybe(Schema.String, "What the code has written to standard output."),
  stderr: maybe(Schema.String, "What the code has written to standard error."),
  result: maybe(Schema.Unknown, "What the code has returned."),
  exitCode: maybe(numeric, "Exit code of its process."),
  killed: maybe(Schema.Boolean, "True if it was stopped at its `timeout`."),
  error: maybe(Schema.String, "Why the code has failed.")
}).annotations({ identifier: "BrowserExecuted", ...open })

const path = Schema.Struct({ id: Schema.String })

/** Group `browser`. */
export class BrowserGroup extends HttpApiGroup.make("browser")
  .add(
    HttpApiEndpoint.post("create", "/v2/browser")
      .annotateContext(charges("lookup", "browser"))
      .annotate(OpenApi.Summary, "Open a browser session")
      .annotate(OptionalBody, true)
      .setPayload(CreateSession)
      .addSuccess(typed<Types.BrowserSession>()(Session))
      .addError(Conflict.schema)
      .addError(InsufficientStorage.schema)
      .addError(RateLimited.schema)
      .addError(Unavailable.schema)
  )
  .add(
    HttpApiEndpoint.get("list", "/v2/browser")
      .annotateContext(charges("lookup"))
      .annotate(OpenApi.Summary, "The open sessions")
      .setUrlParams(ListQuery)
      .addSuccess(typed<Types.BrowserSessions>()(Sessions))
  )
  .add(
    HttpApiEndpoint.del("delete", "/v2/browser/:id")
      .annotateContext(charges("lookup"))
      .annotate(OpenApi.Summary, "End a session")
      .setPath(path)
      .addSuccess(typed<Types.Deleted>()(Deleted))
      .addError(NotFound.schema)
      .addError(Gone.schema)
  )
  .add(
    HttpApiEndpoint.post("execute", "/v2/browser/:id/execute")
      .annotateContext(charges("lookup"))
      .annotate(OpenApi.Summary, "Run code in a session")
      .setPath(path)
      .setPayload(Execute)
      .addSuccess(typed<Types.BrowserExecuted>()(Executed))
      .addError(BadRequest.schema)
      .addError(NotFound.schema)
      .addError(Gone.schema)
      .addError(Forbidden.schema)
      .addError(RateLimited.schema)
  )
  .middleware(Auth)
  .annotate(OpenApi.Title, "Browser") {}
