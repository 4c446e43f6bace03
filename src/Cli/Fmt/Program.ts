/** Lays out or converts each definition, and prints, compares or writes what comes of it. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { fileErrorReason } from "../../Files/FileErrors.ts"
import { formatYaml, type Language, languageOf, write } from "../../Pipeline/Format.ts"
import { read } from "../../Pipeline/Source.ts"
import { expand } from "../Check/Program.ts"
import { FileUnusable, LaidOutOtherwise, WrongUsage } from "../Errors.ts"
import type { FmtParameters } from "../Fmt.ts"
import type { Terminal } from "../Terminal.ts"
import { count } from "../Words.ts"

interface Written {
  readonly file: string
  /** Where the text belongs. */
  readonly target: string
  readonly text: string
  /** What is there now. */
  readonly current: string | undefined
}

const unusable = (path: string) => (cause: { readonly message: string }) =>
  new FileUnusable({ path, reason: fileErrorReason(cause), cause })

const produce = (file: string, to: Language | undefined) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const from = languageOf(file)
    const language = to ?? from ?? "yaml"
    if (to === undefined && from === "ts") {
      const reason = `${file}: the layout of code is a formatter's; --to yaml or --to json converts it`
      return yield* new WrongUsage({ reason })
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

const save = ({ current, file, target, text }: Written) =>
  Effect.gen(function* () {
    if (current === text) return false
    if (target !== file && current !== undefined) {
      return yield* new FileUnusable({
        path: target,
        reason: "it is there already and says something else; remove it, or leave --write out and see"
      })
    }
    const files = yield* FileSystem.FileSystem
    yield* Effect.mapError(files.writeFileString(target, text), unusable(target))
    return true
  })

export const program = (options: FmtParameters, { err, out }: Terminal) =>
  Effect.gen(function* () {
    const named = (yield* Effect.forEach(options.files, expand)).flat()
    if (named.length > 1 && !options.write && !options.check) {
      const reason = `${count(named.length, "definition")} on stdout would run into each other: say --write or --check`
      return yield* new WrongUsage({ reason })
    }
    const written = yield* Effect.forEach(named, (file) => produce(file, options.to))
    const other = written.filter(({ current, text }) => current !== text)
    if (options.check) {
      for (const { target } of other) out.write(`${target}\n`)
      if (other.length > 0) return yield* new LaidOutOtherwise({ files: other.length })
      return
    }
    if (!options.write) return out.write(written.map(({ text }) => text).join(""))
    for (const each of written) if (yield* save(each)) out.write(`${each.target}\n`)
    if (other.length === 0)
      err.write(`${count(written.length, "definition")} ${written.length === 1 ? "is" : "are"} laid out already\n`)
  })
