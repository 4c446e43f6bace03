/** The files of the dashboard, from memory. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Page from "../Web/Dashboard/Page.ts"
import * as Live from "../Web/Live/Page.ts"
import { policyOf } from "./Headers.ts"

interface Built {
  readonly script: string
  readonly style: string
}

const names = { script: "dashboard.js", style: "dashboard.css" }

/** In the built package they lie beside the program; from the sources they are put together once. */
const built: Effect.Effect<Built> = import.meta.url.endsWith(".ts")
  ? Effect.promise(() =>
      import("esbuild")
        .then(({ build }) =>
          build({
            absWorkingDir: fileURLToPath(new URL("../Web/Dashboard/", import.meta.url)),
            entryPoints: [
              { in: "Main.tsx", out: "dashboard" },
              { in: "Dashboard.css", out: "dashboard" }
            ],
            outdir: ".",
            bundle: true,
            format: "esm",
            jsx: "automatic",
            jsxImportSource: "preact",
            write: false
          })
        )
        .then(({ outputFiles }) => {
          const of = (name: string) => outputFiles.find(({ path }) => path.endsWith(name))?.text ?? ""
          return { script: of(names.script), style: of(names.style) }
        })
    )
  : Effect.sync(() => {
      const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8")
      return { script: read(names.script), style: read(names.style) }
    })

const respond = (body: string, contentType: string) =>
  HttpServerResponse.text(body, { contentType, headers: policyOf("page") })

/** By their paths; made when somebody asks for the first of them. */
export const make = Effect.map(Effect.cached(built), (built) => {
  const page = respond(Page.page(""), "text/html; charset=utf-8")
  const icon = respond(Live.favicon, "image/svg+xml")
  return (path: string): Effect.Effect<HttpServerResponse.HttpServerResponse> | undefined => {
    switch (path) {
      case `/${names.script}`:
        return Effect.map(built, ({ script }) => respond(script, "text/javascript; charset=utf-8"))
      case `/${names.style}`:
        return Effect.map(built, ({ style }) => respond(style, "text/css; charset=utf-8"))
      case "/icon.svg":
        return Effect.succeed(icon)
      default:
        // The pages have addresses of their own.
        return /^\/api(\/|$)|\.[^/]*$/.test(path) ? undefined : Effect.succeed(page)
    }
  }
})
