/** Definitions named on the command line, as files or as folders. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { fileErrorReason } from "../Files/FileErrors.ts"
import { DefinitionInvalid } from "../Pipeline/Issue.ts"
import * as Trace from "../Telemetry/Trace.ts"

/** True for definitions in YAML or JSON. Reading a definition in code executes it, so such a file is only read when named explicitly. */
const isDefinition = (name: string): boolean => /\.(ya?ml|json)$/.test(name) && !isBeside(name)

/** True for files that lie beside definitions and have the same extensions: tests, contracts and lock files. */
export const isBeside = (name: string): boolean => /\.(test\.(ya?ml|json)|contract\.yaml|lock\.json)$/.test(name)

/** Failure for a file of definitions that cannot be read. */
export const refuse = (file: string, message: string) =>
  new DefinitionInvalid({ file, issues: [{ path: [], message }] })

/** Lists the files of a folder that `isWanted` accepts, sorted; undefined if the path is not a folder. */
export const filesIn = Trace.fn("Check.filesIn")(function* (named: string, isWanted: (name: string) => boolean) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const isFolder = yield* files.stat(named).pipe(
    Effect.map(({ type }) => type === "Directory"),
    Effect.orElseSucceed(() => false)
  )
  if (!isFolder) return undefined
  const names = yield* Effect.mapError(files.readDirectory(named), (error) =>
    refuse(named, `cannot be read: ${fileErrorReason(error)}`)
  )
  const found = names.filter(isWanted).sort()
  return found.map((name) => paths.join(named, name))
})

/** Expands a folder to the definitions in it; a file stays as it is. */
export const expand = Trace.fn("Check.expand")(function* (named: string) {
  const found = yield* filesIn(named, isDefinition)
  return found?.length === 0
    ? yield* refuse(
        named,
        "there is no .yaml, .yml or .json definition in this folder; to check a definition in code, name its file"
      )
    : (found ?? [named])
})
