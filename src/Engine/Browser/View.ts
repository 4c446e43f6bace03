/** The pages on which people watch a session, or take it over: `/live/{secret}` (spec 2.4). */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { NotImplemented } from "../../Api/Errors.ts"
import * as Failures from "../Failures.ts"

const absent = Failures.response(
  new NotImplemented({ error: "This engine has no live view yet. Use the session's cdpUrl.", code: "NOT_IMPLEMENTED" })
)

/** What HTTP asks for below `/live`. */
export const routes = HttpApiBuilder.Router.use((router) => router.get("/live/*", Effect.succeed(absent)))

/** Upgrades below `/live`; nobody takes one yet. */
export const layer = Layer.empty
