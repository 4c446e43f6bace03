/** The test files that are meant by what was named. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { fileErrorReason } from "../../Files/FileErrors.ts"
import { DefinitionInvalid } from "../../Pipeline/Mistake.ts"
import { filesOf, isTestFile } from "../../Pipeline/Test.ts"

const refuse = (file: string, message: string) => new DefinitionInvalid({ file, mistakes: [{ path: [], message }] })

/** A test file is itself, a definition has one beside it, a folder is the test files that lie in it. */
const expand = Effect.fn("Test.expand")(function* (named: string) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  if (isTestFile(named)) return [named]
  const isFolder = yield* files.stat(named).pipe(
    Effect.map(({ type }) => type === "Directory"),
    Effect.orElseSucceed(() => false)
  )
  if (!isFolder) {
    const found = yield* filesOf(named)
    const stem = paths.basename(named).replace(/\.\w+$/, "")
    return found.length > 0 ? found : yield* refuse(named, `has no tests: write them into ${stem}.test.yaml beside it`)
  }
  const names = yield* Effect.mapError(files.readDirectory(named), (error) =>
    refuse(named, `cannot be read: ${fileErrorReason(error)}`)
  )
  const found = names.filter(isTestFile).sort()
  return found.length > 0
    ? found.map((name) => paths.join(named, name))
    : yield* refuse(named, "there is no test in this folder: the tests of NAME.yaml are in NAME.test.yaml beside it")
})

/** Every test file once, in the order of naming; `pipelines` or the current folder when nothing is named. */
export const find = Effect.fn("Test.find")(function* (named: ReadonlyArray<string>) {
  const files = yield* FileSystem.FileSystem
  const usual = yield* Effect.orElseSucceed(files.exists("pipelines"), () => false)
  const [refused, found] = yield* Effect.partition(named.length > 0 ? named : [usual ? "pipelines" : "."], expand)
  return { refused, files: [...new Set(found.flat())] }
})
