/** Serves browser pages: bundles, security headers, and the check of host names. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"

export interface Built {
  readonly script: string
  readonly style: string
}

/** Sources of a bundle: a folder next to this file, its entry points, and the base name of the built files. */
interface Sources {
  readonly folder: string
  readonly script: string
  readonly style: string
  readonly name: string
}

/** Script and style of a bundle: the built files of the package, or else built from source by esbuild. */
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

/** Content security policy: only this origin, nothing inline, no framing. */
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

/** Headers for a page whose scripts never turn text into markup. */
export const ofTrustedPage: Readonly<Record<string, string>> = {
  ...commonHeaders,
  "content-security-policy": `${policy}; require-trusted-types-for 'script'`
}

/** Headers for data, which a browser must never run. */
export const ofData: Readonly<Record<string, string>> = {
  ...commonHeaders,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'"
}

export interface Host {
  /** Host name in lower case; an IPv6 address keeps its brackets. */
  readonly name: string
  /** Empty if the header has no port. */
  readonly port: string
}

export const hostOf = (header = ""): Host => {
  const [, name = "", port = ""] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(header.toLowerCase()) ?? []
  return { name, port }
}

/** True for names that always resolve to this machine. */
export const isLoopback = (name: string): boolean =>
  name === "localhost" ||
  name.endsWith(".localhost") ||
  /^127(\.\d{1,3}){3}$/.test(name) ||
  name === "::1" ||
  name === "[::1]"

/**
 * Checks the `Host` header of a server that listens on loopback (`bound`), against DNS rebinding, in which a web page points its own name
 * at this machine. Allows loopback names, and requests without the header (HTTP/1.0). Servers that listen elsewhere allow all names.
 */
export const isNamed = (bound: string, header: string | undefined): boolean =>
  !isLoopback(bound) || header === undefined || isLoopback(hostOf(header).name)
