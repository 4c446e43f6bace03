/** Code of a project, in TypeScript or JavaScript, loaded while we run. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** The code could not be loaded: what it threw, or which import of its was not found, and nothing of who imported it. */
export class ModuleError extends Data.TaggedError("ModuleError")<{
  readonly path: string
  readonly thrown: unknown
}> {
  override get message() {
    return `cannot be loaded: ${describeThrown(this.thrown)}`
  }
}

/** What code has thrown, in one line. */
export const describeThrown = (thrown: unknown): string => {
  const said = thrown instanceof Error ? thrown.message || thrown.name : `it throws ${describe(thrown)}`
  return (said.split("\n")[0] ?? "").replace(/ imported from .*$/, "")
}

const describe = (value: unknown): string => {
  if (value === undefined) return "nothing"
  if (Array.isArray(value)) return "an array"
  if (typeof value === "object" && value !== null) return "an object"
  const text = typeof value === "string" ? JSON.stringify(value) : String(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

type Exports = Readonly<Record<string, unknown>>

/** Whether Node takes the file for CommonJS: by its name, else by the package that it is in; `npm init` makes such packages. */
const isCommonJs = (path: string, { dirname, join }: typeof import("node:path"), read: (path: string) => string) => {
  const [, kind] = /\.([cm])[jt]s$/.exec(path) ?? []
  if (kind !== undefined) return kind === "c"
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const manifest = read(join(folder, "package.json"))
    if (manifest !== "") return !/"type"\s*:\s*"module"/.test(manifest)
    if (folder === dirname(folder)) return true
  }
}

/** What is required is what `module.exports` was: a module's exports, or one value that is the default then. */
const asModule = (required: unknown): Exports =>
  typeof required === "object" && required !== null && "__esModule" in required
    ? (required as Exports)
    : { ...(required as object), default: required }

/** CommonJS that was asked for without a version. */
const kept = new Map<string, Exports>()

/** What is required by the same word from the same folder is what it was in whatever version, unless that is gone. */
const forget = (cache: NodeJS.Dict<unknown>) => {
  for (const key of Object.keys(cache)) if (key.includes("?namespace=")) delete cache[key]
}

/**
 * Imports the module at an absolute path, and gives what it exports. Node keeps what it has once imported: whoever wants
 * a file as it is now names its version, and gets it with what it imports. What ES modules were in earlier versions stays
 * in memory.
 */
export const importModule = (path: string, version?: string): Effect.Effect<Exports, ModuleError> =>
  Effect.tryPromise({
    try: async () => {
      const [{ existsSync, readFileSync }, { createRequire }, paths, { pathToFileURL }] = await Promise.all([
        import("node:fs"),
        import("node:module"),
        import("node:path"),
        import("node:url")
      ])
      if (isCommonJs(path, paths, (file) => (existsSync(file) ? readFileSync(file, "utf8") : ""))) {
        const { register } = await import("tsx/cjs/api")
        const before = version === undefined ? kept.get(path) : undefined
        if (before !== undefined) return before
        forget(createRequire(import.meta.url).cache)
        const loader = register({ namespace: version ?? "sluice" })
        const found = await Promise.resolve()
          .then(() => asModule(loader.require(path, import.meta.url)))
          .finally(() => loader.unregister())
        if (version === undefined) kept.set(path, found)
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
    },
    catch: (thrown) => new ModuleError({ path, thrown })
  })
