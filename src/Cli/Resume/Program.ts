/** Finds the run and its frozen definition, and goes on. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { check } from "../../Pipeline/Check.ts"
import { parseText, read } from "../../Pipeline/Source.ts"
import * as Sqlite from "../../Run/Ledger/Sqlite.ts"
import type { RunRecord } from "../../Run/Ledger.ts"
import { Ledger } from "../../Run/Ledger.ts"
import { DefinitionChanged, NotResumable } from "../Errors.ts"
import { lineDiff } from "../LineDiff.ts"
import * as Profile from "../Profile.ts"
import type { ResumeParameters } from "../Resume.ts"
import { perform, printing } from "../Run/Perform.ts"
import { scopeOf } from "../Scope.ts"
import type { Terminal } from "../Terminal.ts"

const isCode = (file: string): boolean => /\.[mc]?[jt]s$/.test(file)

/** The run that is meant, and that it can be gone on with. */
const find = (id: string) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const record = yield* ledger.find(id)
    if (record === undefined) {
      return yield* new NotResumable({ run: id, reason: "there is no such run in the ledger" })
    }
    if (record.status === "completed") {
      return yield* new NotResumable({ run: record.id, reason: "it is complete; sluice run starts another" })
    }
    return record
  })

/** The definition that the run began with, or the present one where that was asked for. */
const definitionOf = (record: RunRecord, withCurrent: boolean, terminal: Terminal) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const frozen = yield* parseText(record.file, paths.dirname(record.file), record.definition)
    const isThere = yield* Effect.orElseSucceed(files.exists(record.file), () => false)
    // Without the file there is nothing that could have been meant instead.
    if (!isThere) return frozen
    const current = yield* read(record.file)
    if (current.text === record.definition) return isCode(record.file) ? current : frozen
    const diff = lineDiff(record.definition, current.text).join("\n")
    if (!withCurrent) return yield* new DefinitionChanged({ file: record.file, run: record.id, diff })
    terminal.err.write(`${diff}\n`)
    return current
  })

export const program = (options: ResumeParameters, terminal: Terminal) =>
  printing(options, terminal, (print) =>
    Effect.gen(function* () {
      const paths = yield* Path.Path
      const settings = yield* Profile.read(terminal.env, options.profile)
      const dataDir = paths.resolve(options.data ?? settings.dataDir)
      const record = yield* Effect.provide(find(options.run), Sqlite.layer(dataDir))
      const source = yield* definitionOf(record, options["with-current"], terminal)
      const inputs = record.inputs as Readonly<Record<string, unknown>>
      const checked = yield* check(source, { ...scopeOf(terminal.env), inputs, complete: true })
      const { backfill, limit } = (record.options ?? {}) as { readonly limit?: number; readonly backfill?: boolean }
      yield* perform(
        {
          checked,
          settings,
          dataDir,
          out: record.out,
          limit,
          backfill,
          allowCode: options["allow-code"],
          resume: record,
          quiet: options.quiet
        },
        terminal,
        print
      )
    }).pipe(Effect.scoped)
  )
