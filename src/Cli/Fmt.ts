/** `sluice fmt`: formats definitions, or converts them to another format. */

import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { formatYaml, type Language, languageOf, write } from "../Pipeline/Format.ts"
import { read } from "../Pipeline/Source.ts"
import { checkFailed, FileUnusable, unusable, wrongUsage } from "./CommandErrors.ts"
import { expand } from "./DefinitionFiles.ts"
import { count } from "./Format.ts"
import * as Parameter from "./Parameter.ts"
import type { Terminal } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  files: Parameter.many("FILE", "A definition, or a folder: every YAML and JSON definition in it."),
  to: Parameter.choice("LANGUAGE", ["yaml", "ts", "json"], "Converts to yaml, ts or json; only YAML keeps comments."),
  check: Parameter.toggle("Lists the files that are not formatted, and exits with 6 if there are any."),
  write: Parameter.toggle("Writes the files; with --to, new ones beside them.")
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "Keys are put in order, and comments are kept. Without --write the text goes to stdout. Definitions in TypeScript are only converted; format them with your formatter for TypeScript.",
  parameters,
  examples: [
    { line: "sluice fmt pipelines --write", what: "every definition of a folder" },
    { line: "sluice fmt pipelines --check", what: "for a build" },
    { line: "sluice fmt pipelines/first.yaml --to ts > pipelines/first.ts", what: "the same definition in TypeScript" }
  ],
  run: (options, terminal) => run(options, terminal)
})

interface FormattedFile {
  readonly file: string
  /** File to write the text to. */
  readonly target: string
  readonly text: string
  /** Current text of that file. */
  readonly current: string | undefined
}

const produce = (file: string, to: Language | undefined) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const from = languageOf(file)
    const language = to ?? from ?? "yaml"
    if (to === undefined && from === "ts") {
      const reason = `${file}: sluice fmt does not format code; --to yaml or --to json converts it`
      return yield* wrongUsage(reason)
    }
    const source = yield* read(file)
    const target = language === from ? file : file.replace(/\.\w+$/, `.${language}`)
    const current = yield* Effect.option(files.readFileString(target))
    const text =
      language === "yaml" && from === "yaml"
        ? yield* Effect.flatMap(Effect.mapError(files.readFileString(file), unusable(file)), (text) =>
            formatYaml(file, text)
          )
        : yield* write(file, source.value, language)
    return { file, target, text, current: current._tag === "Some" ? current.value : undefined }
  })

const saveFile = ({ current, file, target, text }: FormattedFile) =>
  Effect.gen(function* () {
    if (current === text) return false
    if (target !== file && current !== undefined) {
      return yield* new FileUnusable({
        path: target,
        reason: "it already exists with other contents; remove it, or leave out --write to print the new text instead"
      })
    }
    const files = yield* FileSystem.FileSystem
    yield* Effect.mapError(files.writeFileString(target, text), unusable(target))
    return true
  })

const run = (options: Options, { err, out }: Terminal) =>
  Effect.gen(function* () {
    const named = (yield* Effect.forEach(options.files, expand)).flat()
    if (named.length > 1 && !options.write && !options.check) {
      const reason = `${count(named.length, "definition")} cannot go to stdout together: use --write or --check`
      return yield* wrongUsage(reason)
    }
    const written = yield* Effect.forEach(named, (file) => produce(file, options.to))
    const other = written.filter(({ current, text }) => current !== text)
    if (options.check) {
      for (const { target } of other) out.write(`${target}\n`)
      if (other.length > 0) {
        const files = `${count(other.length, "file")} ${other.length === 1 ? "is" : "are"}`
        return yield* checkFailed(`${files} not formatted. Run: sluice fmt --write`)
      }
      return
    }
    if (!options.write) return out.write(written.map(({ text }) => text).join(""))
    for (const each of written) if (yield* saveFile(each)) out.write(`${each.target}\n`)
    if (other.length === 0)
      err.write(`${count(written.length, "definition")} ${written.length === 1 ? "is" : "are"} formatted already\n`)
  })
