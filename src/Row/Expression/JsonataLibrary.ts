/**
 * Loads the JSONata library with the edits of `JsonataEdits.ts`, and with some of its functions replaced by ours.
 *
 * The edits take longer than many commands do, so the build stores the edited library. Without a build, they are made here.
 */
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { compileFunction } from "node:vm"
import type jsonata from "jsonata"
import { edited } from "./JsonataEdits.ts"
import { checkText, push, step, weigh } from "./Limits.ts"

/** A built-in function as JSONata implements it. */
export type Original = (this: jsonata.Focus | undefined, ...args: ReadonlyArray<unknown>) => unknown

/** Finds a function of the library by name. */
export type FindOriginal = (name: string) => Original

/** Functions that the edited source calls. */
export interface Host {
  /** Replacements for library functions. */
  readonly functions: (own: FindOriginal) => Readonly<Record<string, unknown>>
  /** Replacements for functions that take a picture string. */
  readonly pictures: (own: FindOriginal) => Readonly<Record<string, unknown>>
  readonly search: (text: string, pattern: unknown, from?: number) => number
  /** True if two values are equal, at any depth. */
  readonly equal: (left: unknown, right: unknown) => boolean
  /** Describes a value in a message. */
  readonly show: (value: unknown) => string
  readonly RegExp: new (pattern: RegExp) => unknown
  /** Additional functions by name, with their signatures. */
  readonly more: Readonly<Record<string, readonly [implementation: unknown, signature: string]>>
}

interface Module {
  exports: unknown
}

/** The edited source, and the file that contains it. */
const read = () => {
  const built = fileURLToPath(new URL("./jsonata.js", import.meta.url))
  if (existsSync(built)) return { path: built, source: readFileSync(built, "utf8") }
  const path = createRequire(import.meta.url).resolve("jsonata")
  return { path, source: edited(readFileSync(path, "utf8")) }
}

let library: typeof jsonata | undefined

/** Loads the library when first used. */
export const load = (host: Host): typeof jsonata => {
  if (library !== undefined) return library
  const module: Module = { exports: {} }
  const { path, source } = read()
  const parameters = ["module", "exports", "global", "$host", "$step", "$weigh", "$push", "$text"]
  const wrapper = compileFunction(source, parameters, { filename: path })
  wrapper(module, module.exports, { Buffer }, host, step, weigh, push, checkText)
  library = module.exports as typeof jsonata
  return library
}
