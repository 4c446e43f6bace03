/** The files of the live view, as the engine serves them: from memory, under a policy that lets nothing else in. */
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Page from "../../Web/Live/Page.ts"
import * as Serving from "../../Web/Serving.ts"
import { ofPage } from "../../Web/Serving.ts"

/** The address of a page is its secret: it is kept by nobody and told to nobody. */
const respond = (body: string, contentType: string, status = 200) =>
  HttpServerResponse.text(body, { status, contentType, headers: ofPage })

export const page = (html: string, status = 200) => respond(html, "text/html; charset=utf-8", status)

const built = Serving.bundle({ folder: "Live", script: "Main.ts", style: "Live.css", name: "live-view" })

/** Made when somebody asks for the first of them. */
export const make = Effect.map(Effect.cached(built), (built) => ({
  script: Effect.map(built, ({ script }) => respond(script, "text/javascript; charset=utf-8")),
  style: Effect.map(built, ({ style }) => respond(style, "text/css; charset=utf-8")),
  icon: respond(Page.favicon, "image/svg+xml")
}))
