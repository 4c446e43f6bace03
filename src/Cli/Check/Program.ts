/** Checks definitions one after the other and prints every mistake. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { refusal } from "../../Database/Refusal.ts"
import { check } from "../../Pipeline/Check.ts"
import { DefinitionInvalid, type PlacedMistake, renderPath } from "../../Pipeline/Mistake.ts"
import { read } from "../../Pipeline/Source.ts"
import type { CheckParameters } from "../Check.ts"
import { MistakesFound } from "../Errors.ts"
import { scopeOf } from "../Scope.ts"
import { emphasise, paint, type Terminal } from "../Terminal.ts"
import { count } from "../Words.ts"

/** Code is carried out when it is read: only those definitions in code are looked at that are named. */
const isDefinition = (name: string): boolean => /\.(ya?ml|json)$/.test(name) && !/\.(test|lock)\.\w+$/.test(name)

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
    refuse(`cannot be read: ${refusal(error)}`)
  )
  const found = names.filter(isDefinition).sort()
  return found.length === 0
    ? yield* refuse(
        "there is no .yaml, .yml or .json definition in this folder; one in code is checked when it is named"
      )
    : found.map((name) => paths.join(named, name))
})

interface Judged {
  readonly file: string
  readonly invalid?: DefinitionInvalid
  readonly warnings: ReadonlyArray<PlacedMistake>
}

/** The mistakes of one definition, or what it warns of. */
const judge = (file: string, env: Terminal["env"]) =>
  Effect.flatMap(read(file), (source) => check(source, { ...scopeOf(env), inputs: {}, complete: false })).pipe(
    Effect.map(({ warnings }): Judged => ({ file, warnings })),
    Effect.catchTag("DefinitionInvalid", (invalid) => Effect.succeed<Judged>({ file, invalid, warnings: [] }))
  )

/** Every mistake on its line: `file:line:column  what`. */
const show = (invalid: DefinitionInvalid, { out }: Terminal) => {
  const dye = paint(out)
  const lines = invalid.message.split("\n").slice(0, -1)
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
    const [unreadable, readable] = yield* Effect.partition(options.files, expand)
    const files = readable.flat()
    const judged = yield* Effect.forEach(files, (file) => judge(file, terminal.env))
    const invalid = [...unreadable, ...judged.flatMap((each) => each.invalid ?? [])]
    const warned = judged.flatMap(({ file, warnings }) => warnings.map((warning) => ({ ...warning, file })))
    const mistakes = invalid.flatMap(({ file, mistakes }) => mistakes.map((mistake) => toReport({ ...mistake, file })))
    if (options.json)
      terminal.out.write(`${JSON.stringify({ files: files.length, mistakes, warnings: warned.map(toReport) })}\n`)
    else {
      for (const each of invalid) show(each, terminal)
      for (const { column, file, line, message, path } of warned) {
        const place = line === undefined ? file : `${file}:${line}:${column}`
        terminal.out.write(`${emphasise(`${place}  warning: ${renderPath(path)}${message}`, paint(terminal.out))}\n`)
      }
    }
    if (mistakes.length > 0) {
      const fine = files.length + unreadable.length - invalid.length
      return yield* new MistakesFound({ mistakes: mistakes.length, invalid: invalid.length, fine })
    }
    if (!options.json) {
      const verdict = `${count(files.length, "pipeline")} ${files.length === 1 ? "is" : "are"} fine`
      terminal.out.write(`${paint(terminal.out).green(verdict)}\n`)
    }
  })
