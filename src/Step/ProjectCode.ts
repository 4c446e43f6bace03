/** Code of a project in TypeScript or JavaScript: loads modules at run time, and functions that a definition names. */
import { readFileSync, statSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { loading } from "../Peers.ts"
import { describeValue } from "../Row/Count.ts"
import { sha256 } from "../Row/Hash.ts"
import { didYouMean } from "../Row/Nearest.ts"
import { type Context, StepError } from "../Step.ts"
import { readable } from "./Access.ts"
import { isMapping } from "./Requirements.ts"

/** The code could not be loaded. The message names what it threw or which of its imports is missing, but not the importing file. */
export class ModuleError extends Data.TaggedError("ModuleError")<{
  readonly path: string
  readonly thrown: unknown
}> {
  override get message() {
    return `cannot be loaded: ${describeThrown(this.thrown)}`
  }
}

/** True for an error, also one from the thread that loads modules, which is a plain object here. */
const isError = (thrown: unknown): thrown is Pick<Error, "message" | "name"> =>
  thrown instanceof Error || (isMapping(thrown) && typeof thrown.message === "string")

/** Describes a thrown value in one line. The compiler's first line only counts mistakes: its second has the first one, with its place. */
export const describeThrown = (thrown: unknown): string => {
  const said = isError(thrown) ? thrown.message || thrown.name : `it throws ${describeValue(thrown)}`
  const [first = "", mistake = first] = said.split("\n")
  return /^Transform failed with \d+ error/.test(first)
    ? mistake.replace(": ERROR: ", ": ")
    : first.replace(/ imported from .*$/, "")
}

type Exports = Readonly<Record<string, unknown>>

/** True if Node treats the file as CommonJS: by its extension, otherwise by its package. `npm init` creates CommonJS packages. */
const isCommonJs = (path: string, { dirname, join }: typeof import("node:path"), read: (path: string) => string) => {
  const [, kind] = /\.([cm])[jt]s$/.exec(path) ?? []
  if (kind !== undefined) return kind === "c"
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const manifest = read(join(folder, "package.json"))
    if (manifest !== "") return !/"type"\s*:\s*"module"/.test(manifest)
    if (folder === dirname(folder)) return true
  }
}

/** Exports of a CommonJS module: a compiled ES module keeps its own exports; any other value becomes the default export. */
const asModule = (required: unknown): Exports =>
  typeof required === "object" && required !== null && "__esModule" in required
    ? (required as Exports)
    : { ...(required as object), default: required }

/** CommonJS modules imported without a version. */
const commonJsModules = new Map<string, Exports>()

/** Removes versioned entries from the cache of `require`, which would otherwise return an older version. */
const forget = (cache: NodeJS.Dict<unknown>) => {
  for (const key of Object.keys(cache)) if (key.includes("?namespace=")) delete cache[key]
}

/**
 * Loads code of a project that may import `sluice` or `sluice/cluster`. While it loads, these entries (`Peers.ts`) return this copy of
 * Sluice with its bundled Effect, so that a pipeline in TypeScript needs no Effect and loads nothing twice. Otherwise a program that
 * imports them gets the copy that runs on the program's own Effect.
 */
const sharingThisCopy = async <A>(load: () => Promise<A>): Promise<A> => {
  if (process.env.SLUICE_HAS_EFFECT === undefined) return load()
  loading(1)
  try {
    return await load()
  } finally {
    loading(-1)
  }
}

/**
 * Imports the module at an absolute path and returns its exports. Node caches every import, so a caller that needs the current file passes
 * a version, and gets it with its current imports. Earlier versions of ES modules stay in memory.
 */
export const importModule = (path: string, version?: string): Effect.Effect<Exports, ModuleError> =>
  Effect.tryPromise({
    try: () =>
      sharingThisCopy(async () => {
        const [{ existsSync, readFileSync }, { createRequire }, paths, { pathToFileURL }] = await Promise.all([
          import("node:fs"),
          import("node:module"),
          import("node:path"),
          import("node:url")
        ])
        if (isCommonJs(path, paths, (file) => (existsSync(file) ? readFileSync(file, "utf8") : ""))) {
          const { register } = await import("tsx/cjs/api")
          const before = version === undefined ? commonJsModules.get(path) : undefined
          if (before !== undefined) return before
          forget(createRequire(import.meta.url).cache)
          const loader = register({ namespace: version ?? "sluice" })
          const found = await Promise.resolve()
            .then(() => asModule(loader.require(path, import.meta.url)))
            .finally(() => loader.unregister())
          if (version === undefined) commonJsModules.set(path, found)
          return found
        }
        const { href } = pathToFileURL(path)
        const { register } = await import("tsx/esm/api")
        if (version === undefined) {
          const unregister = register()
          return (await import(href).finally(unregister)) as Exports
        }
        const loader = register({ namespace: version })
        return await (loader.import(href, import.meta.url) as Promise<Exports>).finally(() => loader.unregister())
      }),
    catch: (thrown) => new ModuleError({ path, thrown })
  })

/** Matches relative import paths as written. Imports in comments match, too: they only add to the hash. */
const relativeImports = /\b(?:from|import|require)\s*\(?\s*["'`](\.{1,2}(?:\/[^"'`\n]*)?)["'`]/g

const endings = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json"]

const isFile = (path: string): boolean => {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Paths that a relative import may resolve to, in Node and in TypeScript. */
const candidatesFor = (path: string): ReadonlyArray<string> => [
  path,
  path.replace(/\.([mc]?)js(x?)$/, ".$1ts$2"),
  ...endings.flatMap((ending) => [`${path}${ending}`, join(path, `index${ending}`)])
]

/** Paths of a module's relative imports: the candidates for each import. */
const importsOf = (file: string, text: string): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from(text.matchAll(relativeImports), ([, specifier = ""]) => candidatesFor(resolve(dirname(file), specifier)))

/** Hashes, by path, of a module and of all files that it imports by relative paths. Throws if one cannot be read. */
const hashesOf = (module: string): ReadonlyMap<string, string> => {
  const hashes = new Map<string, string>()
  const files = new Set([module])
  for (const file of files) {
    const text = readFileSync(file, "utf8")
    hashes.set(file, sha256(text))
    for (const imported of importsOf(file, text).flat().filter(isFile)) files.add(imported)
  }
  return hashes
}

/**
 * Paths to watch for changes of a module: the files in {@link CurrentModule.hash}, and the possible locations of missing imports. Never
 * fails: a file that cannot be read has no imports.
 */
export const watchedFiles = (module: string): ReadonlyArray<string> => {
  const files = new Set([module])
  for (const file of files) {
    if (!isFile(file)) continue
    const text = Either.getOrElse(
      Either.try(() => readFileSync(file, "utf8")),
      () => ""
    )
    for (const candidates of importsOf(file, text)) {
      const found = candidates.filter(isFile)
      for (const imported of found.length > 0 ? found : candidates) files.add(imported)
    }
  }
  return [...files]
}

/** One hash for a module and its imports, independent of the location of their folder. */
const combined = (module: string, hashes: ReadonlyMap<string, string>): string => {
  const own = hashes.get(module) ?? ""
  if (hashes.size === 1) return own
  const lines = [...hashes].map(([file, hash]) => `${hash} ${relative(dirname(module), file)}`)
  return sha256(lines.sort().join("\n"))
}

/** Current state of a module, before it is imported. */
export interface CurrentModule {
  /** Identifies the code: this file and the files that it imports by relative paths, but not packages. */
  readonly hash: string
  readonly load: Effect.Effect<Exports, ModuleError>
}

/** Hash of each file at its first import without a version: Node keeps that version. */
const firstHashes = new Map<string, string>()

/**
 * Combined hash of each module at its first import: if one of its imports has been removed since, Node's cached module must not be used.
 */
const firstModules = new Map<string, string>()

/** Number of failed imports of a module: Node caches failures, too, so each new attempt needs its own version. */
const failures = new Map<string, number>()

/** Reads a module without importing it. `load` imports it again only if it, or one of its imports, has changed. */
export const current = (path: string): Effect.Effect<CurrentModule, ModuleError> =>
  Effect.try({
    try: () => {
      const hashes = hashesOf(path)
      const hash = combined(path, hashes)
      const load = Effect.suspend(() => {
        const failed = failures.get(path) ?? 0
        const isFirst =
          failed === 0 &&
          (firstModules.get(path) ?? hash) === hash &&
          [...hashes].every(([file, each]) => (firstHashes.get(file) ?? each) === each)
        if (isFirst) {
          firstModules.set(path, hash)
          for (const [file, each] of hashes) firstHashes.set(file, each)
        }
        return Effect.tapError(importModule(path, isFirst ? undefined : `${hash}-${failed}`), () =>
          Effect.sync(() => failures.set(path, failed + 1))
        )
      })
      return { hash, load }
    },
    catch: (thrown) => new ModuleError({ path, thrown })
  })

export const ModuleFile = Schema.String.pipe(
  Schema.pattern(/\.[cm]?[jt]s$/, { message: () => "name a .ts, .mts, .js or .mjs file" })
).annotations({ description: "a TypeScript or JavaScript file, relative to the definition's folder" })

/** Fields that name a function of the project and its arguments. */
export const functionFields = {
  module: Schema.propertySignature(ModuleFile).annotations({ description: "File that exports the function." }),
  export: Schema.optionalWith(Schema.NonEmptyString, { default: () => "default" }).annotations({
    description: "Name of the exported function."
  }),
  with: Schema.optional(Schema.Unknown).annotations({ description: "Value that the function gets as `with`." })
}

const Reference = Schema.Struct(functionFields)

/** Function of the project: a file whose default export it is, or the fields that name it. */
export const FunctionReference = Schema.Union(
  Schema.transform(ModuleFile, Schema.typeSchema(Reference), {
    strict: true,
    decode: (module) => ({ module, export: "default" }),
    encode: ({ module }) => module
  }),
  Reference
)

interface FunctionReference {
  readonly module: string
  readonly export: string
}

const refuse = (reason: string, message: string) => new StepError({ reason, message })

/** Turns an error thrown by code, or an invalid result of code, into the step's failure. */
export const functionFailed = (file: string, thrown: unknown): StepError =>
  new StepError({ reason: "FunctionFailed", message: `${file}: ${describeThrown(thrown)}`, cause: thrown })

/** Loads the function; fails with `CodeNotAllowed` or `ModuleInvalid`. */
export const loadFunction = (
  key: string,
  { export: name, module: file }: FunctionReference,
  context: Pick<Context, "allowCode" | "folder">
): Effect.Effect<(...args: ReadonlyArray<unknown>) => unknown, StepError> =>
  Effect.gen(function* () {
    if (!context.allowCode) {
      return yield* refuse(
        "CodeNotAllowed",
        `${key} runs code of the project (${file}): read it, and allow it with --allow-code`
      )
    }
    const exported = yield* importModule(yield* readable(file, context.folder)).pipe(
      Effect.mapError((error) => refuse("ModuleInvalid", `${file} ${error.message}`))
    )
    const found = exported[name]
    if (typeof found === "function") return found as (...args: ReadonlyArray<unknown>) => unknown
    const what = name in exported ? "no function" : `not there${didYouMean(name, Object.keys(exported))}`
    return yield* refuse("ModuleInvalid", `${file}: its export ${name} is ${what}`)
  })

/** Maximum depth of a value; deeper values may be cyclic. */
const deepest = 200

/** Why a value is not JSON, with the path; undefined if it is. */
export const whyNotJson = (value: unknown, path: string, depth = 0): string | undefined => {
  if (value === null || value === undefined || typeof value === "string" || typeof value === "boolean") return undefined
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `${path} is ${value}`
  if (typeof value !== "object") return `${path} is a ${typeof value}`
  if (depth === deepest) return `${path} is nested too deeply, or contains itself`
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const inner = whyNotJson(value[index], `${path}[${index}]`, depth + 1)
      if (inner !== undefined) return inner
    }
    return undefined
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return `${path} is a ${value.constructor?.name ?? "class"}`
  for (const [name, each] of Object.entries(value)) {
    const inner = whyNotJson(each, `${path}.${name}`, depth + 1)
    if (inner !== undefined) return inner
  }
  return undefined
}
