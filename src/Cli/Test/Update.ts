/** `--update`: replaces expected values by the actual ones; everything else in the file stays as written. */
import { gzipSync } from "node:zlib"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { isMap, isScalar, parseDocument, stringify } from "yaml"
import type { Failure } from "../../Run/Test/Assertions.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { unusable } from "../CommandErrors.ts"

/** New value for an `equals` that did not match, with its path in the file. */
export interface Change {
  readonly path: ReadonlyArray<string | number>
  readonly actual: NonNullable<Failure["actual"]>
}

/** A row on a single line. */
const spellRow = (row: unknown): string =>
  stringify(row, { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: true }).trim().replace(/\n\s*/g, " ")

/** A list of rows as YAML, in the style of the surrounding text. */
const spellList = (rows: ReadonlyArray<unknown>, isFlow: boolean, indent: string): string =>
  isFlow || rows.length === 0
    ? ` [${rows.map((row) => JSON.stringify(row)).join(", ")}]`
    : `\n${rows.map((row) => `${indent}  - ${spellRow(row)}`).join("\n")}`

/** The text with the actual lists inserted. Skips values that stand in files of their own. */
export const updateText = (text: string, changes: ReadonlyArray<Change>): string => {
  const document = parseDocument(text)
  const edits = changes.flatMap(({ actual, path }) => {
    const parent = document.getIn(path.slice(0, -1), true)
    if (typeof actual === "string" || !isMap(parent)) return []
    const pair = parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
    const key = pair !== undefined && isScalar(pair.key) ? pair.key.range : undefined
    const value = document.getIn(path, true) as
      | { readonly range?: readonly [number, number, number] | null }
      | undefined
    if (!key || !value?.range) return []
    const from = text.indexOf(":", key[1]) + 1
    const indent = " ".repeat(key[0] - (text.lastIndexOf("\n", key[0]) + 1))
    // The range of a block value includes the line break after it, which stays in place.
    const to = from + text.slice(from, value.range[1]).trimEnd().length
    return [{ from, to, text: spellList(actual, parent.flow === true, indent) }]
  })
  return edits
    .sort((a, b) => b.from - a.from)
    .reduce((now, { from, text: list, to }) => now.slice(0, from) + list + now.slice(to), text)
}

const contentOf = (actual: Change["actual"]): string =>
  typeof actual === "string" ? actual : actual.map((row) => `${JSON.stringify(row)}\n`).join("")

/** Updates the lists in a test file, and the files that it refers to. */
export const update = Trace.fn("Test.update")(function* (
  file: string,
  text: string,
  changes: ReadonlyArray<Change & { readonly equals: unknown }>
) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const write = (path: string, content: Uint8Array) =>
    files
      .makeDirectory(paths.dirname(path), { recursive: true })
      .pipe(Effect.zipRight(files.writeFile(path, content)), Effect.mapError(unusable(path)))
  const inside = changes.filter(({ equals }) => typeof equals !== "string")
  if (inside.length > 0) yield* write(file, Buffer.from(updateText(text, inside)))
  for (const { actual, equals } of changes) {
    if (typeof equals !== "string") continue
    const content = Buffer.from(contentOf(actual))
    yield* write(paths.resolve(paths.dirname(file), equals), equals.endsWith(".gz") ? gzipSync(content) : content)
  }
})
