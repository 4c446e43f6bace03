/** Does what is asked for with the state across runs. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { didYouMean } from "../../Row/Nearest.ts"
import type { Json } from "../../Row.ts"
import type { StateRecord } from "../../Run/Ledger/States.ts"
import { Ledger } from "../../Run/Ledger.ts"
import { StateRefused } from "../Errors.ts"
import { withLedger } from "../Past.ts"
import type { StateParameters } from "../State.ts"
import { table } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"
import { count } from "../Words.ts"

const instant = (millis: number | undefined): string =>
  millis === undefined ? "–" : new Date(millis).toISOString().slice(0, 16).replace("T", " ")

/** A line of an export. */
const Line = Schema.parseJson(
  Schema.Struct({
    step: Schema.String,
    key: Schema.String,
    value: Schema.Unknown,
    firstSeen: Schema.Number,
    lastSeen: Schema.Number
  })
)
const readLine = Schema.decodeUnknownEither(Line)

const list = ({ json }: StateParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const { states } = yield* Ledger
    const shelves = yield* states.list
    if (json) return void terminal.out.write(`${JSON.stringify(shelves)}\n`)
    if (shelves.length === 0) return void terminal.err.write("no pipeline has kept anything yet\n")
    const lines = table(
      [["key"], ["step"], ["entries", "right"], ["first seen (UTC)"], ["last seen (UTC)"]],
      shelves.map(({ entries, firstSeen, lastSeen, stateKey, step }) => [
        stateKey,
        step,
        entries.toLocaleString("en-US"),
        instant(firstSeen),
        instant(lastSeen)
      ]),
      terminal.out
    )
    terminal.out.write(`${lines.join("\n")}\n`)
  })

/** The key that must be given, and be there; and the step, which need not be said when there is one only. */
const shelfOf = (options: StateParameters, mustExist = true) =>
  Effect.gen(function* () {
    const { states } = yield* Ledger
    const { action, key, step } = options
    if (key === undefined)
      return yield* new StateRefused({ action, reason: "KEY is missing: sluice state list shows them" })
    const shelves = yield* states.list
    const keys = [...new Set(shelves.map(({ stateKey }) => stateKey))]
    if (mustExist && !keys.includes(key)) {
      const reason = `nothing is kept under "${key}"${didYouMean(key, keys) || (keys.length === 0 ? "" : `: there are ${keys.join(", ")}`)}`
      return yield* new StateRefused({ action, reason })
    }
    const steps = shelves.flatMap((shelf) => (shelf.stateKey === key ? [shelf.step] : []))
    if (step !== undefined && mustExist && !steps.includes(step)) {
      return yield* new StateRefused({
        action,
        reason: `no step "${step}" keeps anything under ${key}: there are ${steps.join(", ")}`
      })
    }
    return { key, step: step ?? (steps.length === 1 ? steps[0] : undefined), steps }
  })

const needed = (options: StateParameters, name: "entry" | "to" | "value", what: string) =>
  options[name] === undefined
    ? new StateRefused({ action: options.action, reason: `--${name} is missing: ${what}` })
    : Effect.succeed(options[name])

const needStep = (options: StateParameters, step: string | undefined, steps: ReadonlyArray<string>) =>
  step === undefined
    ? new StateRefused({ action: options.action, reason: `--step is missing: there are ${steps.join(", ")}` })
    : Effect.succeed(step)

const isoOf = <A extends { readonly firstSeen: number; readonly lastSeen: number }>(entry: A) => ({
  ...entry,
  firstSeen: new Date(entry.firstSeen).toISOString(),
  lastSeen: new Date(entry.lastSeen).toISOString()
})

const get = (options: StateParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const { states } = yield* Ledger
    const { key, step, steps } = yield* shelfOf(options)
    const { entry } = options
    const print = (value: unknown) => terminal.out.write(`${JSON.stringify(value)}\n`)
    if (entry === undefined) {
      return yield* Stream.runForEach(states.entries(key, options.step), (each) =>
        Effect.sync(() => print(isoOf(each)))
      )
    }
    const found = yield* states.get(key, yield* needStep(options, step, steps), entry)
    if (found === undefined) return yield* new StateRefused({ action: "get", reason: `${key} has no entry ${entry}` })
    print(isoOf(found))
  })

const set = (options: StateParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const { states } = yield* Ledger
    const { key, step, steps } = yield* shelfOf(options, false)
    const entry = yield* needed(options, "entry", "which entry is it?")
    const text = yield* needed(options, "value", "what is to be put there, as JSON?")
    const value = yield* Either.mapLeft(
      Either.try(() => JSON.parse(text) as Json),
      () => new StateRefused({ action: "set", reason: `--value is not JSON: ${text.slice(0, 60)}` })
    )
    yield* states.set(key, yield* needStep(options, step, steps), entry, value)
    terminal.err.write(`${entry} is set under ${key}\n`)
  })

const clear = (options: StateParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const { states } = yield* Ledger
    const { key, step, steps } = yield* shelfOf(options)
    if (options.entry !== undefined) {
      yield* states.set(key, yield* needStep(options, step, steps), options.entry, undefined)
      return void terminal.err.write(`${options.entry} is no longer kept under ${key}\n`)
    }
    if (!options.yes) {
      const reason = `all entries of ${key} would be new again: say --yes to clear them, or --entry for one of them`
      return yield* new StateRefused({ action: "clear", reason })
    }
    const cleared = yield* states.clear(key, { step: options.step })
    terminal.err.write(`${count(cleared, "entry", "entries")} of ${key} cleared\n`)
  })

const move = (options: StateParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const { states } = yield* Ledger
    const { key } = yield* shelfOf(options)
    const to = yield* needed(options, "to", "which key is it to have?")
    yield* states.move(key, to)
    terminal.err.write(`${key} is now ${to}\n`)
  })

const exportAll = (options: StateParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const { states } = yield* Ledger
    const { key } = yield* shelfOf(options)
    const lines = states.entries(key, options.step).pipe(Stream.map((entry) => `${JSON.stringify(entry)}\n`))
    const { file } = options
    if (file === undefined)
      return yield* Stream.runForEach(lines, (line) => Effect.sync(() => terminal.out.write(line)))
    const files = yield* FileSystem.FileSystem
    yield* Effect.mapError(
      Stream.run(Stream.encodeText(lines), files.sink(file)),
      (error) => new StateRefused({ action: "export", reason: error.message })
    )
  })

const importAll = (options: StateParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const { states } = yield* Ledger
    const { key } = yield* shelfOf(options, false)
    const files = yield* FileSystem.FileSystem
    const { file } = options
    const refused = (reason: string) => new StateRefused({ action: "import", reason })
    const bytes =
      file === undefined
        ? NodeStream.fromReadable<StateRefused>(
            () => process.stdin,
            (cause) => refused(`standard input: ${String(cause)}`)
          )
        : Stream.mapError(files.stream(file), (error) => refused(error.message))
    const entries = bytes.pipe(
      Stream.decodeText(),
      Stream.splitLines,
      Stream.zipWithIndex,
      Stream.filter(([line]) => line.trim() !== ""),
      Stream.mapEffect(([line, index]) =>
        Either.mapLeft(readLine(line), () =>
          refused(`line ${index + 1} is no entry: expected {"step","key","value","firstSeen","lastSeen"}`)
        )
      ),
      Stream.map((entry) => entry as StateRecord)
    )
    const imported = yield* states.import(key, entries)
    terminal.err.write(`${count(imported, "entry", "entries")} put under ${key}\n`)
  })

const acts = { list, get, set, clear, move, export: exportAll, import: importAll } as const

export const program = (options: StateParameters, terminal: Terminal) =>
  withLedger(options, terminal, acts[options.action](options, terminal))
