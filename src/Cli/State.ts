/** `sluice state`: shows and changes the state that pipelines keep from run to run. */

import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { fileErrorReason } from "../Files/FileErrors.ts"
import type { StateRecord } from "../Ledger/StateStore.ts"
import { Ledger } from "../Ledger.ts"
import { didYouMean } from "../Row/Nearest.ts"
import type { Json } from "../Row.ts"
import { isSince, rememberedWith } from "../Step/Request/Entries.ts"
import { isValue } from "../Step/Request/Value.ts"
import { type WrongUsage, wrongUsage } from "./CommandErrors.ts"
import { count, iso, minute, place, writeTable } from "./Format.ts"
import { withLedger } from "./LedgerAccess.ts"
import * as Parameter from "./Parameter.ts"
import * as SharedFlags from "./SharedFlags.ts"
import type { Terminal } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

export const actions = ["list", "get", "set", "clear", "move", "export", "import"] as const

const parameters = {
  action: Parameter.oneOf("ACTION", actions, "list, get, set, clear, move, export or import."),
  key: Parameter.optional("KEY", "The state's key, as `sluice state list` shows it."),
  step: Parameter.text("ID", "Only the entries of this step."),
  entry: Parameter.text(
    "ENTRY",
    "The entry to get, set or clear: the address of a page, or the value of dedupe's key."
  ),
  value: Parameter.text("JSON", "Value that set stores, as JSON."),
  to: Parameter.text("KEY", "New key of the state that move moves."),
  file: Parameter.text("FILE", "File that export writes or import reads; default: stdout or stdin."),
  yes: Parameter.toggle("Confirms that clear removes all entries of the key.", "y"),
  data: SharedFlags.data("the ledger"),
  profile: SharedFlags.profile,
  json: Parameter.toggle("Prints JSON.")
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "`dedupe` across runs and `files` with skipSeen remember what they have seen under the pipeline's state key. Cleared entries are new again in the next run. The state cannot be changed while a run holds the key.",
  parameters,
  examples: [
    { line: "sluice state list", what: "every key, with the number of its entries" },
    { line: "sluice state get docs-watch --entry https://example.com/a", what: "one entry" },
    { line: "sluice state clear docs-watch --entry https://example.com/a", what: "the page is new again" },
    { line: "sluice state export docs-watch --file state.jsonl", what: "a line for each entry; import reads it back" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** The action on the state is not possible. */
const refused = ({ action }: Pick<Options, "action">, reason: string) => wrongUsage(`state ${action}: ${reason}`)

/** Schema of a time in an export. */
const Time = Schema.Union(
  Schema.Number,
  Schema.Date.pipe(
    Schema.transform(Schema.Number, {
      strict: true,
      decode: (date) => date.getTime(),
      encode: (millis) => new Date(millis)
    })
  )
)

/** Schema of a line of an export, or of the output of `get`. */
const Line = Schema.parseJson(
  Schema.Struct({
    step: Schema.NonEmptyString,
    key: Schema.String,
    value: Schema.Unknown,
    firstSeen: Time,
    lastSeen: Time
  })
)
const readLine = Schema.decodeUnknownEither(Line)

const list = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const { states } = yield* Ledger
    const { json, key } = options
    if (key !== undefined)
      return yield* refused(options, `it accepts no KEY: sluice state get ${key} shows the state of this key`)
    const shelves = yield* states.list
    if (json) return void terminal.out.write(`${JSON.stringify(shelves.map(isoOf))}\n`)
    if (shelves.length === 0) return void terminal.err.write("no pipeline has stored any state yet\n")
    writeTable(
      [["key"], ["step"], ["entries", "right"], ["first seen (UTC)"], ["last seen (UTC)"]],
      shelves.map(({ entries, firstSeen, lastSeen, stateKey, step }) => [
        stateKey,
        step,
        entries.toLocaleString("en-US"),
        minute(firstSeen),
        minute(lastSeen)
      ]),
      terminal.out
    )
  })

/** The state key, which must be given and exist, and the step, which may be omitted if the key has only one. */
const shelfOf = (options: Options, mustExist = true) =>
  Effect.gen(function* () {
    const { states } = yield* Ledger
    const { key, step } = options
    if (key === undefined) return yield* refused(options, "KEY is missing: sluice state list shows all keys")
    const shelves = yield* states.list
    const keys = [...new Set(shelves.map(({ stateKey }) => stateKey))]
    if (mustExist && !keys.includes(key)) {
      const reason = `there is no state under "${key}"${didYouMean(key, keys) || (keys.length === 0 ? "" : `: there are ${keys.join(", ")}`)}`
      return yield* refused(options, reason)
    }
    const steps = shelves.flatMap((shelf) => (shelf.stateKey === key ? [shelf.step] : []))
    if (step !== undefined && mustExist && !steps.includes(step)) {
      return yield* refused(options, `no step "${step}" has state under ${key}: ${thereAre(steps)}`)
    }
    return { key, step: step ?? (steps.length === 1 ? steps[0] : undefined), steps }
  })

const thereAre = (steps: ReadonlyArray<string>): string =>
  `there ${steps.length === 1 ? "is" : "are"} ${steps.join(", ")}`

const needed = (options: Options, name: "entry" | "to" | "value", what: string) =>
  options[name] === undefined || options[name] === ""
    ? refused(options, `--${name} is missing: ${what}`)
    : Effect.succeed(options[name])

const needStep = (options: Options, step: string | undefined, steps: ReadonlyArray<string>) =>
  step === undefined
    ? refused(
        options,
        `--step is missing: ${steps.length === 0 ? `there is no state under ${options.key} yet, so name the step that the entry is for` : thereAre(steps)}`
      )
    : Effect.succeed(step)

const isoOf = <A extends { readonly firstSeen: number | undefined; readonly lastSeen: number | undefined }>(
  entry: A
) => ({
  ...entry,
  firstSeen: iso(entry.firstSeen),
  lastSeen: iso(entry.lastSeen)
})

/** The entry to act on, which must exist. */
const entryOf = (options: Options, key: string, step: string, entry: string) =>
  Effect.gen(function* () {
    const { states } = yield* Ledger
    const found = yield* states.get(key, step, entry)
    return found ?? (yield* refused(options, `${key} has no entry ${entry}`))
  })

const get = (options: Options, terminal: Terminal) =>
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
    print(isoOf(yield* entryOf(options, key, yield* needStep(options, step, steps), entry)))
  })

/** Rows that a `since` entry remembers besides its value; undefined for other entries. */
const rowsWith = (key: string, step: string, entry: string) =>
  Effect.gen(function* () {
    if (!isSince(entry)) return undefined
    const { states } = yield* Ledger
    const keys = yield* Stream.runCollect(Stream.map(states.entries(key, step), (each) => each.key))
    return rememberedWith(entry, [...keys])
  })

const givenAgain = (rows: ReadonlyArray<string> = []): string =>
  rows.length === 0
    ? ""
    : `; ${count(rows.length, "row", "rows")} that had the old value may be given again by the next run`

const set = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const { states } = yield* Ledger
    const { key, step, steps } = yield* shelfOf(options, false)
    const entry = yield* needed(options, "entry", "name the entry to set")
    const text = yield* needed(options, "value", "give the new value as JSON")
    const value = yield* Either.mapLeft(
      Either.try(() => JSON.parse(text) as Json),
      () => refused(options, `--value is not JSON: ${text.slice(0, 60)}`)
    )
    const own = yield* needStep(options, step, steps)
    const rows = yield* rowsWith(key, own, entry)
    const now = (yield* states.get(key, own, entry))?.value
    if (rows !== undefined && isValue(now) && !isValue(value)) {
      const reason = `${entry} is a string or a number, and --value is ${text.slice(0, 60)}: write --value '"2026-03-01"'`
      return yield* refused(options, reason)
    }
    yield* states.set(key, own, entry, value, rows)
    terminal.err.write(`${entry} is set under ${key}${givenAgain(rows)}\n`)
  })

const clear = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const { states } = yield* Ledger
    const { key, step, steps } = yield* shelfOf(options)
    const { entry } = options
    if (entry !== undefined) {
      const own = yield* needStep(options, step, steps)
      yield* entryOf(options, key, own, entry)
      const rows = yield* rowsWith(key, own, entry)
      yield* states.set(key, own, entry, undefined, rows)
      return void terminal.err.write(`${entry} is no longer in the state ${key}${givenAgain(rows)}\n`)
    }
    if (!options.yes) {
      const reason = `all entries of ${key} would be new again: confirm with --yes, or clear one of them with --entry`
      return yield* refused(options, reason)
    }
    const cleared = yield* states.clear(key, { step: options.step })
    terminal.err.write(`${count(cleared, "entry", "entries")} of ${key} cleared\n`)
  })

const move = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const { states } = yield* Ledger
    const { key } = yield* shelfOf(options)
    const to = yield* needed(options, "to", "name the new key")
    if (to === key) return yield* refused(options, `the state is already under ${key}`)
    if ((yield* states.list).some(({ stateKey }) => stateKey === to)) {
      return yield* refused(
        options,
        `there is already state under ${to}: clear it with sluice state clear ${to} --yes, or choose another key`
      )
    }
    yield* states.move(key, to)
    terminal.err.write(`${key} is now ${to}\n`)
  })

const exportAll = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const { states } = yield* Ledger
    const { key } = yield* shelfOf(options)
    let written = 0
    const lines = states.entries(key, options.step).pipe(
      Stream.map((entry) => {
        written++
        return `${JSON.stringify(entry)}\n`
      })
    )
    const { file } = options
    if (file === undefined)
      return yield* Stream.runForEach(lines, (line) => Effect.sync(() => terminal.out.write(line)))
    const files = yield* FileSystem.FileSystem
    yield* Effect.catchTags(Stream.run(Stream.encodeText(lines), files.sink(file)), {
      BadArgument: (error) => refused(options, `cannot write ${file}: ${fileErrorReason(error)}`),
      SystemError: (error) => refused(options, `cannot write ${file}: ${fileErrorReason(error)}`)
    })
    terminal.err.write(`${count(written, "entry", "entries")} of ${key} written to ${place(file)}\n`)
  })

const importAll = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const { states } = yield* Ledger
    const { key } = yield* shelfOf(options, false)
    const files = yield* FileSystem.FileSystem
    const { file } = options
    const where = file ?? "standard input"
    const bytes =
      file === undefined
        ? NodeStream.fromReadable<WrongUsage>(
            () => process.stdin,
            (cause) => refused(options, `cannot read standard input: ${String(cause)}`)
          )
        : Stream.mapError(files.stream(file), (error) =>
            refused(options, `cannot read ${file}: ${fileErrorReason(error)}`)
          )
    const entries = bytes.pipe(
      Stream.decodeText(),
      Stream.splitLines,
      Stream.zipWithIndex,
      Stream.filter(([line]) => line.trim() !== ""),
      Stream.mapEffect(([line, index]) =>
        Either.mapLeft(readLine(line), () =>
          refused(
            options,
            `line ${index + 1} of ${where} is not an entry like {"step","key","value","firstSeen","lastSeen"}: give a file that sluice state export wrote`
          )
        )
      ),
      Stream.map((entry) => entry as StateRecord)
    )
    const imported = yield* states.import(key, entries)
    terminal.err.write(`${count(imported, "entry", "entries")} put under ${key}\n`)
  })

const acts = { list, get, set, clear, move, export: exportAll, import: importAll } as const

const run = (options: Options, terminal: Terminal) =>
  withLedger(options, terminal, acts[options.action](options, terminal))
