/** The files of the dashboard, from memory. */
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Built from "../Web/Built.ts"
import * as Page from "../Web/Dashboard/Page.ts"
import { ofTrustedPage } from "../Web/Headers.ts"
import * as Live from "../Web/Live/Page.ts"

const built = Built.read({ folder: "Dashboard", script: "Main.tsx", style: "Dashboard.css", name: "dashboard" })

const respond = (body: string, contentType: string) =>
  HttpServerResponse.text(body, { contentType, headers: ofTrustedPage })

/** By their paths; made when somebody asks for the first of them. */
export const make = Effect.map(Effect.cached(built), (built) => {
  const page = respond(Page.page(""), "text/html; charset=utf-8")
  const icon = respond(Live.favicon, "image/svg+xml")
  return (path: string): Effect.Effect<HttpServerResponse.HttpServerResponse> | undefined => {
    switch (path) {
      case "/dashboard.js":
        return Effect.map(built, ({ script }) => respond(script, "text/javascript; charset=utf-8"))
      case "/dashboard.css":
        return Effect.map(built, ({ style }) => respond(style, "text/css; charset=utf-8"))
      case "/icon.svg":
        return Effect.succeed(icon)
      default:
        // The pages have addresses of their own.
        return /^\/api(\/|$)|\.[^/]*$/.test(path) ? undefined : Effect.succeed(page)
    }
  }
})
