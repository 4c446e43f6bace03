/** How pages are served: their bundles, their security headers, and the host names that requests may use. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"

export interface Built {
  readonly script: string
  readonly style: string
}

/** What a browser runs: a folder beside this file with its entries, and the name that both have when they are built. */
interface Sources {
  readonly folder: string
  readonly script: string
  readonly style: string
  readonly name: string
}

/** In the built package they lie beside the program; from the sources they are put together. */
export const bundle = ({ folder, name, script, style }: Sources): Effect.Effect<Built> =>
  import.meta.url.endsWith(".ts")
    ? Effect.promise(() =>
        import("esbuild")
          .then(({ build }) =>
            build({
              absWorkingDir: fileURLToPath(new URL(`./${folder}/`, import.meta.url)),
              entryPoints: [
                { in: script, out: name },
                { in: style, out: name }
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
            const of = (ending: string) =>
              outputFiles.find(({ path }) => path.endsWith(`${name}.${ending}`))?.text ?? ""
            return { script: of("js"), style: of("css") }
          })
      )
    : Effect.sync(() => {
        const text = (ending: string) => readFileSync(new URL(`${name}.${ending}`, import.meta.url), "utf8")
        return { script: text("js"), style: text("css") }
      })

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

const commonHeaders = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()"
}

export const ofPage: Readonly<Record<string, string>> = { ...commonHeaders, "content-security-policy": policy }

/** A page whose scripts never make markup of a text. */
export const ofTrustedPage: Readonly<Record<string, string>> = {
  ...commonHeaders,
  "content-security-policy": `${policy}; require-trusted-types-for 'script'`
}

/** Data is no page: it may do nothing at all. */
export const ofData: Readonly<Record<string, string>> = {
  ...commonHeaders,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'"
}

export interface Host {
  /** In small letters; an IPv6 address in its brackets. */
  readonly name: string
  /** Empty where none is said. */
  readonly port: string
}

export const hostOf = (header = ""): Host => {
  const [, name = "", port = ""] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(header.toLowerCase()) ?? []
  return { name, port }
}

/** Names of this machine that no other machine's web page can claim. */
export const isLoopback = (name: string): boolean =>
  name === "localhost" ||
  name.endsWith(".localhost") ||
  /^127(\.\d{1,3}){3}$/.test(name) ||
  name === "::1" ||
  name === "[::1]"

/**
 * Whether a request names this machine, where `bound`, the address that is listened on, is for it alone. A web page may
 * point its own name at any address (DNS rebinding): on loopback only names are answered that no page can have, and
 * programs of HTTP/1.0, which say none.
 */
export const isNamed = (bound: string, header: string | undefined): boolean =>
  !isLoopback(bound) || header === undefined || isLoopback(hostOf(header).name)
