/** `join`: adds to each row the fields of the rows of a file that have the same key. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Reader } from "../Contract/Reader.ts"
import { fileErrorReason } from "../Files/FileErrors.ts"
import { count as counted } from "../Row/Count.ts"
import { isMoved, namesOf } from "../Row/FieldOrder.ts"
import { type Data, keyOf, type Row, withData } from "../Row.ts"
import * as Step from "../Step.ts"
import { ofFile } from "./Access.ts"
import { evaluate, flatMapValues } from "./Chunked.ts"
import { anyRows, asManyRows, fewerRows, numberOf, spillNote, upTo } from "./Estimate.ts"
import { ExpressionText, expressionFailed } from "./Field.ts"
import { KeyedFile } from "./KeyedFile.ts"
import { watchingFields } from "./MisspeltFields.ts"
import { checkSame, type Input, open, Stamp } from "./Read/Input.ts"
import { gapIn, type RowBatch } from "./Read/RowReader.ts"
import { type Format, formatFields, formatIssue, rowsOf, withOrder, withReader } from "./Read/Rows.ts"
import { mapping } from "./Requirements.ts"
import { decodeState } from "./SavedState.ts"
import { ScratchFolder } from "./Scratch.ts"
import { memoryOf } from "./Spill.ts"

const defaultMost = 100_000

/** Memory overhead of a row of the file, besides its content. */
const bytesPerRow = 150

const Fields = Schema.Struct({
  file: Schema.propertySignature(
    Schema.String.annotations({ description: "a file of rows, relative to the definition's folder" })
  ).annotations({ description: "File whose rows are looked up." }),
  ...formatFields,
  on: Schema.propertySignature(
    Schema.Union(
      Schema.Struct({
        left: Schema.propertySignature(ExpressionText).annotations({ description: "Key of the row." }),
        right: Schema.propertySignature(ExpressionText).annotations({ description: "Key of a row of the file." })
      }),
      ExpressionText.annotations({ description: "an expression over both sides" })
    )
  ).annotations({
    description: "Rows match when their keys are equal: one expression for both sides, or one for each."
  }),
  fields: Schema.optional(Schema.Array(Schema.String).pipe(Schema.minItems(1))).annotations({
    description: "Fields that are added from the file; all by default."
  }),
  as: Schema.optional(Schema.NonEmptyString).annotations({
    description:
      "Name of one field for the fields of the file, as an object; without `as`, they become fields of the row."
  }),
  type: Schema.optionalWith(
    Schema.Literal("left", "inner").annotations({
      description: "left: rows without a match pass unchanged. inner: rows without a match are dropped."
    }),
    { default: () => "left" as const }
  ),
  many: Schema.optionalWith(
    Schema.Literal("first", "all", "error").annotations({
      description:
        "When several rows of the file match. first: the first one is used. all: the row is repeated for each of them, and `$key` gets their number (`#0`, `#1` …). error: the row is a failed row."
    }),
    { default: () => "first" as const }
  ),
  maxRows: Schema.optionalWith(Schema.Int.pipe(Schema.positive()), { default: () => defaultMost }).annotations({
    description: "Maximum number of rows of the file in memory, and at most 64 MB of them; with more, they are on disk."
  })
})
type Config = typeof Fields.Type

const configOf = (readers: ReadonlyArray<Reader>) =>
  Fields.pipe(
    Schema.filter((config) => {
      if (config.file === "-") return { path: ["file"], message: "standard input cannot be joined: name a file" }
      return formatIssue(withReader(config, readers)) ?? true
    })
  )

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : JSON.stringify(value))

/**
 * Text of a join key. Keys match if their texts are equal, because CSV cells are strings. A null, missing or empty key has no text and
 * matches nothing.
 */
const keyTextOf = (value: unknown): string | undefined => (value === null || value === "" ? undefined : textOf(value))

const pick = (data: Data, fields: ReadonlyArray<string> | undefined): Data =>
  fields === undefined
    ? data
    : Object.fromEntries(fields.flatMap((name) => (Object.hasOwn(data, name) ? [[name, data[name]]] : [])))

const failure = (reason: string, message: string) => new Step.StepError({ reason, message })

/** Rows of the other side with a key, at most `most`. */
type Lookup = (key: string, most: number) => ReadonlyArray<Data>

/** Rows of the file by key, in memory as long as they fit. A line that cannot be read fails the step, because its key is unknown. */
const load = (config: Config, input: Input, context: Step.Context, order: Set<string>) =>
  Effect.gen(function* () {
    const { file, fields, many, maxRows, on } = config
    const right = "right" in on ? on.right : on
    const folder = yield* ScratchFolder.open(context.scratch)
    // Remove leftovers of an earlier process.
    yield* folder.keepOnly([])
    const found = new Map<string, Array<Data>>()
    let onDisk: KeyedFile | undefined
    let count = 0
    let memory = 0
    let [read, withKey] = [0, 0]
    /** Names of `fields` that no row of the file has had. */
    const missing = new Set(fields)
    const add = (key: string, data: Data): void => {
      if (onDisk !== undefined) {
        onDisk.add(key, data)
        return
      }
      const others = found.get(key)
      if (others !== undefined && many === "first") return
      memory += memoryOf(key) + memoryOf(data) + bytesPerRow
      count++
      if (others === undefined) found.set(key, [data])
      else others.push(data)
    }
    /** Moves the rows to disk. */
    const spill = Effect.gen(function* () {
      onDisk = yield* KeyedFile.make(folder)
      for (const [key, others] of found) {
        for (const data of others) onDisk.add(key, data)
        yield* onDisk.flush
      }
      found.clear()
    })
    const note = (batch: RowBatch) => {
      const gap = gapIn(batch)
      return Effect.zipRight(
        Effect.forEach(batch.warnings, ({ matter, message }) => context.warnOnce(matter, message), { discard: true }),
        gap === undefined ? Effect.void : context.incomplete(gap)
      )
    }
    yield* rowsOf(input, withOrder(config satisfies Format, context.written), undefined, note).pipe(
      Stream.runForEach(({ failures: [malformed], rows }) =>
        Effect.gen(function* () {
          if (malformed !== undefined) return yield* malformed[1]
          for (const name of fields ?? (rows[0] === undefined ? [] : namesOf(rows[0]))) order.add(name)
          const { columns, failures } = yield* evaluate([right], rows, context.bindings)
          for (const [index, error] of failures) {
            const { message } = expressionFailed(error)
            return yield* failure("ExpressionFailed", `${file}, line ${rows[index]?.position ?? "?"}: ${message}`)
          }
          read += rows.length
          for (const [index, { data }] of rows.entries()) {
            for (const name of missing) if (Object.hasOwn(data, name)) missing.delete(name)
            const key = keyTextOf(columns[0]?.[index])
            if (key === undefined) continue
            withKey++
            add(key, pick(data, fields))
          }
          if (onDisk !== undefined) yield* onDisk.flush
          else if (count > maxRows || memory > folder.limits.memory) yield* spill
        })
      )
    )
    if (read > 0 && withKey === 0) {
      yield* context.warnOnce(
        "on",
        `none of ${counted(read, "row")} of ${file} has a value of ${right.source}, so no row matches: correct ${"right" in on ? "on.right" : "on"}`
      )
    }
    if (read > 0 && missing.size > 0) {
      const names = [...missing].join(", ")
      yield* context.warnOnce("fields", `no row of ${file} has ${names}: correct fields, or leave ${names} out`)
    }
    if (onDisk === undefined) return (key: string): ReadonlyArray<Data> => found.get(key) ?? []
    const keyed: KeyedFile = onDisk
    yield* keyed.close
    const lookup: Lookup = (key, most) => keyed.find(key, most) as ReadonlyArray<Data>
    return lookup
  })

/** Merges the other side's fields into a row, after its own; returns the name of a field instead if its values differ. */
const merge = (data: Data, other: Data, as: string | undefined): Data | string => {
  const added = as === undefined ? other : { [as]: other }
  let isShared = false
  for (const name of Object.keys(added)) {
    if (!Object.hasOwn(data, name)) continue
    if (textOf(data[name]) !== textOf(added[name])) return name
    // The key is often on both sides: the row keeps its own value, even if its type differs.
    isShared = true
  }
  return isShared ? { ...data, ...added, ...data } : { ...data, ...added }
}

const decodeStamp = decodeState(Stamp)

/** The step `join`; reads files with the readers of these sinks, by file extension. */
export const make = (readers: ReadonlyArray<Reader>) =>
  Step.make({
    key: "join",
    summary:
      "Adds to each row, after its own fields, the fields that a file (JSONL or CSV) has for the same key. Rows of the file that do not fit into memory are looked up on disk. A field that both sides have with different values makes a failed row: choose `fields`, or `as`.",
    example: "join: { file: owners.csv, on: { left: $host(url), right: host }, fields: [owner, team] }",
    config: configOf(readers),
    reads: ofFile("file"),
    estimate: (given) => {
      const { file, many, maxRows, type } = mapping(given.config)
      const rows = many === "all" ? anyRows(given) : type === "inner" ? fewerRows(given) : asManyRows(given)
      const inMemory = numberOf(maxRows) ?? defaultMost
      return { ...rows, note: spillNote("join", upTo(undefined), inMemory, `rows of ${String(file)}`) }
    },
    behaviour: {
      kind: "transform",
      independent: true,
      make: (config, context, saved) =>
        Effect.gen(function* () {
          const { as, file, many, on, type } = config
          const input = yield* open(file, context.folder)
          const before = yield* decodeStamp(context, saved.value)
          if (before !== undefined) yield* checkSame(input, before)
          /** Field names of the file, in the order of its first rows. */
          const order = new Set<string>()
          const lookup: Lookup = yield* load(withReader(config, readers), input, context, order)
          const hasMoved = Array.from(order).some(isMoved)
          /** Maximum rows of the file to use per key. */
          const most = many === "first" ? 1 : Number.POSITIVE_INFINITY
          let unreadable: Step.StepError | undefined
          const find = (key: string): ReadonlyArray<Data> => {
            try {
              return lookup(key, most)
            } catch (cause) {
              unreadable ??= failure(
                "ScratchUnusable",
                `the rows of ${file} on disk cannot be read: ${fileErrorReason(cause)}`
              )
              return []
            }
          }
          let isNew = before === undefined

          const add = (row: Row, others: ReadonlyArray<Data>, made: Array<Row>): Step.StepError | undefined => {
            const rows: Array<Row> = []
            for (const [index, other] of others.entries()) {
              const data = merge(row.data, other, as)
              if (typeof data === "string") {
                return failure(
                  "FieldExists",
                  `the row and ${file} have different values in the field ${data}: leave it out with fields, or put the fields of the file into one field with as`
                )
              }
              const joined =
                hasMoved && as === undefined
                  ? { ...withData(row, data), fields: [...(row.fields ?? Object.keys(row.data)), ...order] }
                  : withData(row, data)
              rows.push(many === "all" ? { ...joined, origin: undefined, key: `${keyOf(row)}#${index}` } : joined)
            }
            made.push(...rows)
            return undefined
          }

          const left = "left" in on ? on.left : on
          const joinRows = flatMapValues([left], context, (row, value, made) => {
            const key = keyTextOf(value(0))
            const others = key === undefined ? [] : find(key)
            if (others.length === 0) {
              if (type === "left") made.push(row)
              return undefined
            }
            if (many === "error" && others.length > 1) {
              return failure(
                "ManyMatches",
                `${file} has ${others.length} rows for ${JSON.stringify(key)}: make its keys unique, or set many: first or many: all`
              )
            }
            return add(row, many === "all" ? others : others.slice(0, 1), made)
          })

          return watchingFields([left], context, {
            push: (rows) => Effect.tap(joinRows(rows), () => unreadable ?? Effect.void),
            save: Effect.sync(() => {
              const changes = isNew ? { value: input.stamp } : {}
              isNew = false
              return changes
            })
          })
        })
    }
  })

export const join = make([])
