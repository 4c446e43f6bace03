/** Checks definitions one after the other and prints every mistake. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { fileErrorReason } from "../../Files/FileErrors.ts"
import { check } from "../../Pipeline/Check.ts"
import { DefinitionInvalid, type PlacedMistake, renderPath } from "../../Pipeline/Mistake.ts"
import { read } from "../../Pipeline/Source.ts"
import type { CheckParameters } from "../Check.ts"
import { MistakesFound, OnlyBeside } from "../Errors.ts"
import { scopeOf } from "../Scope.ts"
import { emphasise, paint, type Terminal } from "../Terminal.ts"
import { count } from "../Words.ts"

/** Code is carried out when it is read: only those definitions in code are looked at that are named. */
const isDefinition = (name: string): boolean => /\.(ya?ml|json)$/.test(name) && !isBeside(name)

/** Files that lie beside definitions and are named by the same patterns: tests and lock files. */
const isBeside = (name: string): boolean => /\.(test\.(ya?ml|json)|lock\.json)$/.test(name)

/** A file is itself; a folder is the definitions that lie in it. */
export const expand = Effect.fn("Check.expand")(function* (named: string) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const isFolder = yield* files.stat(named).pipe(
    Effect.map(({ type }) => type === "Directory"),
    Effect.orElseSucceed(() => false)
  )
  if (!isFolder) return [named]
  const refuse = (message: string) => new DefinitionInvalid({ file: named, mistakes: [{ path: [], message }] })
  const names = yield* Effect.mapError(files.readDirectory(named), (error) =>
    refuse(`cannot be read: ${fileErrorReason(error)}`)
  )
  const found = names.filter(isDefinition).sort()
  return found.length === 0
    ? yield* refuse(
        "there is no .yaml, .yml or .json definition in this folder; one in code is checked when it is named"
      )
    : found.map((name) => paths.join(named, name))
})

/** The mistakes and warnings of one definition. */
interface Judged {
  readonly file: string
  readonly mistakes: ReadonlyArray<PlacedMistake>
  readonly warnings: ReadonlyArray<PlacedMistake>
}

const judge = (file: string, { complete }: CheckParameters, env: Terminal["env"]) =>
  Effect.flatMap(read(file), (source) =>
    check(source, {
      ...scopeOf(env),
      inputs: {},
      complete: false,
      unsetSecrets: complete ? "mistake" : "warning"
    })
  ).pipe(
    Effect.map(({ warnings }): Judged => ({ file, mistakes: [], warnings })),
    Effect.catchTag("DefinitionInvalid", (invalid) => Effect.succeed(judgedOf(invalid)))
  )

const judgedOf = ({ file, mistakes, warnings = [] }: DefinitionInvalid): Judged => ({ file, mistakes, warnings })

/** Every mistake and warning on its line: `file:line:column  what`. */
const show = ({ file, mistakes, warnings }: Judged, { out }: Terminal) => {
  const dye = paint(out)
  const all = [
    ...mistakes,
    ...warnings.map(({ message, path, ...place }) => ({
      ...place,
      path: [],
      message: `warning: ${renderPath(path)}${message}`
    }))
  ].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
  if (all.length === 0) return
  const lines = new DefinitionInvalid({ file, mistakes: all }).message.split("\n").slice(0, -1)
  out.write(`${lines.map((line) => emphasise(line, dye)).join("\n")}\n`)
}

/** As scripts get it. */
const toReport = ({ column, file, line, message, path }: PlacedMistake & { readonly file: string }) => ({
  file,
  line,
  column,
  path: path.map(String),
  message
})

export const program = (options: CheckParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const named = options.files.filter((file) => !isBeside(file))
    if (named.length === 0) return yield* new OnlyBeside({ files: options.files })
    const [unreadable, readable] = yield* Effect.partition(named, expand)
    const files = readable.flat()
    const judged = [
      ...unreadable.map(judgedOf),
      ...(yield* Effect.forEach(files, (file) => judge(file, options, terminal.env)))
    ]
    const invalid = judged.filter(({ mistakes }) => mistakes.length > 0)
    const listed = (of: "mistakes" | "warnings") =>
      judged.flatMap((each) => each[of].map((mistake) => toReport({ ...mistake, file: each.file })))
    const [mistakes, warnings] = [listed("mistakes"), listed("warnings")]
    if (options.json) terminal.out.write(`${JSON.stringify({ files: files.length, mistakes, warnings })}\n`)
    else for (const each of judged) show(each, terminal)
    if (mistakes.length > 0) {
      const fine = files.length + unreadable.length - invalid.length
      return yield* new MistakesFound({ mistakes: mistakes.length, invalid: invalid.length, fine })
    }
    if (!options.json) {
      const also = warnings.length === 0 ? "" : `, with ${count(warnings.length, "warning")}`
      const verdict = `${count(files.length, "pipeline")} ${files.length === 1 ? "is" : "are"} fine${also}`
      terminal.out.write(`${paint(terminal.out).green(verdict)}\n`)
    }
  })
