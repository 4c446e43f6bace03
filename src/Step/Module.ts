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
  if (Array.isArray(value)) return "a list"
  if (typeof value === "object" && value !== null) return "a mapping"
  const text = typeof value === "string" ? JSON.stringify(value) : String(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

type Exports = Readonly<Record<string, unknown>>

/** What CommonJS exports, imported as a module, is below a `default` of its own. */
const unwrapped = (module: Exports): Exports => {
  const { default: inner } = module
  const isWrapped = typeof inner === "object" && inner !== null && "__esModule" in inner && "default" in inner
  return isWrapped ? (inner as Exports) : module
}

/**
 * Imports the module at an absolute path, and gives what it exports. Node keeps what it has once imported: whoever wants
 * a file as it is now names its version, and gets it with what it imports (CommonJS: alone). What was kept of earlier
 * versions stays in memory.
 */
export const importModule = (path: string, version?: string): Effect.Effect<Exports, ModuleError> =>
  Effect.tryPromise({
    try: async () => {
      const { register } = await import("tsx/esm/api")
      const { pathToFileURL } = await import("node:url")
      const { href } = pathToFileURL(path)
      if (version === undefined) {
        const unregister = register()
        return (await import(href).finally(unregister)) as Exports
      }
      const loader = register({ namespace: version })
      return unwrapped(
        await (loader.import(href, import.meta.url) as Promise<Exports>).finally(() => loader.unregister())
      )
    },
    catch: (thrown) => new ModuleError({ path, thrown })
  })
