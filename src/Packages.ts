/**
 * Large packages that most processes do not use, each loaded by the first call of its function. The build bundles each into a file of its own
 * and writes that file's name in place of the package's (`build.mjs`).
 */
import { createRequire } from "node:module"

const require = createRequire(import.meta.url)

const once = <A>(load: () => A): (() => A) => {
  let loaded: A | undefined
  return () => {
    loaded ??= load()
    return loaded
  }
}

/** Loads the package that computes the times of cron expressions. */
export const croner = once((): typeof import("croner") => require("croner"))

/** Loads the package that writes CSV. */
export const csvStringify = once((): typeof import("csv-stringify/sync") => require("csv-stringify/sync"))

/** Loads the package that compiles CSS selectors. */
export const cssSelect = once((): typeof import("css-select") => require("css-select"))

/** Loads the package that parses CSS selectors. */
export const cssWhat = once((): typeof import("css-what") => require("css-what"))

/** Loads the package that finds the differences between lists or between texts. */
export const jsdiff = once((): typeof import("diff") => require("diff"))

/** Loads the package that decodes character sets other than UTF-8. Its tables take half a megabyte. */
export const iconv = once((): typeof import("iconv-lite") => require("iconv-lite"))

/** Loads the package that detects character sets. Its tables take more than a megabyte. */
export const jschardet = once((): typeof import("jschardet") => require("jschardet"))

/** Loads the package that validates values by a JSON Schema. */
export const jsonSchema = once((): typeof import("@cfworker/json-schema") => require("@cfworker/json-schema"))

/** Loads the package that matches regular expressions in linear time. */
export const re2js = once((): typeof import("re2js") => require("re2js"))

/** Loads the package that finds the domain of a host name by the public suffix list. */
export const tldts = once((): typeof import("tldts") => require("tldts"))

/** Loads the package that stores cookies by RFC 6265, with the public suffix list. */
export const toughCookie = once((): typeof import("tough-cookie") => require("tough-cookie"))

/** Loads the HTTP client of the engine. */
export const undici = once((): typeof import("undici") => require("undici"))

/** Loads the package for WebSockets. */
export const ws = once((): typeof import("ws") => require("ws"))
