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

/** Imports the module at an absolute path, and gives what it exports. */
export const importModule = (path: string): Effect.Effect<Readonly<Record<string, unknown>>, ModuleError> =>
  Effect.tryPromise({
    try: async () => {
      const { register } = await import("tsx/esm/api")
      const unregister = register()
      const { pathToFileURL } = await import("node:url")
      return (await import(pathToFileURL(path).href).finally(unregister)) as Readonly<Record<string, unknown>>
    },
    catch: (thrown) => new ModuleError({ path, thrown })
  })
