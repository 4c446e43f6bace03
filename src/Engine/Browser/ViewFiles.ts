/** The files of the live view, as the engine serves them: from memory, under a policy that lets nothing else in (spec 2.4). */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Page from "../../Web/Live/Page.ts"

/** Only what comes from here, nothing written into the page, and the page within no other. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** The address of a page is its secret: it is kept by nobody and told to nobody. */
const headers = {
  "content-security-policy": policy,
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()"
}

const respond = (body: string, contentType: string, status = 200) =>
  HttpServerResponse.text(body, { status, contentType, headers })

export const page = (html: string, status = 200) => respond(html, "text/html; charset=utf-8", status)

interface Built {
  readonly script: string
  readonly style: string
}

const names = { script: "live-view.js", style: "live-view.css" }

/** In the built package they lie beside the program; from the sources they are put together once. */
const built: Effect.Effect<Built> = import.meta.url.endsWith(".ts")
  ? Effect.promise(() =>
      import("esbuild")
        .then(({ build }) =>
          build({
            absWorkingDir: fileURLToPath(new URL("../../Web/Live/", import.meta.url)),
            entryPoints: [
              { in: "Main.ts", out: "live-view" },
              { in: "Live.css", out: "live-view" }
            ],
            outdir: ".",
            bundle: true,
            format: "esm",
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

/** Made when somebody asks for the first of them. */
export const make = Effect.map(Effect.cached(built), (built) => ({
  script: Effect.map(built, ({ script }) => respond(script, "text/javascript; charset=utf-8")),
  style: Effect.map(built, ({ style }) => respond(style, "text/css; charset=utf-8")),
  icon: respond(Page.favicon, "image/svg+xml")
}))
