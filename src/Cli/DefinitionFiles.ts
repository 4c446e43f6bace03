/** Definitions named on the command line, as files or as folders. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { fileErrorReason } from "../Files/FileErrors.ts"
import { DefinitionInvalid } from "../Pipeline/Issue.ts"

/** True for definitions in YAML or JSON. Reading a definition in code executes it, so such a file is only read when named explicitly. */
const isDefinition = (name: string): boolean => /\.(ya?ml|json)$/.test(name) && !isBeside(name)

/** True for files that lie beside definitions and have the same extensions: tests, contracts and lock files. */
export const isBeside = (name: string): boolean => /\.(test\.(ya?ml|json)|contract\.yaml|lock\.json)$/.test(name)

/** Expands a folder to the definitions in it; a file stays as it is. */
export const expand = Effect.fn("Check.expand")(function* (named: string) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const isFolder = yield* files.stat(named).pipe(
    Effect.map(({ type }) => type === "Directory"),
    Effect.orElseSucceed(() => false)
  )
  if (!isFolder) return [named]
  const refuse = (message: string) => new DefinitionInvalid({ file: named, issues: [{ path: [], message }] })
  const names = yield* Effect.mapError(files.readDirectory(named), (error) =>
    refuse(`cannot be read: ${fileErrorReason(error)}`)
  )
  const found = names.filter(isDefinition).sort()
  return found.length === 0
    ? yield* refuse(
        "there is no .yaml, .yml or .json definition in this folder; to check a definition in code, name its file"
      )
    : found.map((name) => paths.join(named, name))
})
