/** An output held against the file that it should be: its bytes, and where they differ its rows. */
import { gunzipSync } from "node:zlib"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { RowsExpectation } from "../../Pipeline/Test/Format.ts"
import { loadRows } from "../../Pipeline/Test/Rows.ts"
import { type Failure, type Judged, judgeEquals } from "./Judge.ts"
import type { Written } from "./Played.ts"

/** Where two texts part, as a sentence. */
const firstDifference = (expected: string, actual: string): string => {
  const [left, right] = [expected.split("\n"), actual.split("\n")]
  const found = left.findIndex((line, index) => line !== right[index])
  const at = found === -1 ? left.length : found
  const spell = (line: string | undefined) => (line === undefined ? "its end" : JSON.stringify(line))
  return `line ${at + 1}: expected ${spell(left[at])}, got ${spell(right[at])}`
}

/** The text of a file, gzipped or not. */
export const textOf = (content: Uint8Array, name: string): string => {
  const bytes = Buffer.from(content)
  if (!name.endsWith(".gz")) return bytes.toString()
  return Either.getOrElse(
    Either.try(() => gunzipSync(bytes)),
    () => bytes
  ).toString()
}

/** `show` puts the marks of test files into the output's text. */
export const judgeContent = (
  { equals: file, order }: { readonly equals: string; readonly order: RowsExpectation["order"] },
  written: Written,
  {
    folder,
    judged,
    show
  }: { readonly folder: string; readonly judged: Judged; readonly show: (text: string) => string }
): Effect.Effect<ReadonlyArray<Failure>, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = (yield* Path.Path).resolve(folder, file)
    const expected = yield* Effect.either(files.readFile(path))
    const actual = show(textOf(written.content, written.path))
    if (Either.isLeft(expected)) {
      return [{ path: ["equals"], message: `cannot read ${file}: --update writes it as the output is now`, actual }]
    }
    const wanted = textOf(expected.right, file)
    if (wanted === actual) return []
    const rows = yield* Effect.either(loadRows(file, folder))
    if (Either.isRight(rows) && typeof written.rows !== "string") {
      const failures = judgeEquals(rows.right, order, judged)
      if (failures.length > 0 || order === "any") return failures.map((failure) => ({ ...failure, actual }))
    }
    const message = `${written.path} is not ${file}: ${firstDifference(wanted, actual)}`
    return [{ path: ["equals"], message, actual }]
  })
