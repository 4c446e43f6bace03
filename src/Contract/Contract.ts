/** Contract of a pipeline's outputs: columns, keys and the reaction to drift, in `NAME.contract.yaml` beside the definition. */
import * as NodePath from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { type Document, isNode, LineCounter, parseDocument, stringify } from "yaml"
import { readSidecar } from "../Files/BesideFile.ts"
import { parseYaml } from "../Files/Yaml.ts"
import { fieldsOf, keysAsWritten, rememberOrder } from "../Row/FieldOrder.ts"
import { sha256 } from "../Row/Hash.ts"
import { didYouMean } from "../Row/Nearest.ts"
import { valueOf } from "../Row/YamlOrder.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { TypedError } from "../TypedError.ts"
import { ColumnType, columnTypes } from "./ColumnType.ts"

/** Schema annotations that name the allowed values of a policy, also in the error message. */
const expected = (words: string) => ({
  description: words,
  message: () => ({ message: `expected ${words}`, override: true })
})

const OnNew = Schema.Literal("add", "drop", "reject", "hold").annotations(expected("add, drop, reject or hold"))
const OnType = Schema.Literal("widen", "coerce", "reject", "hold").annotations(
  expected("widen, coerce, reject or hold")
)
/** The policy `onMissing`. Accepts the value null for the word `null`, because YAML reads an unquoted `null` that way. */
const OnMissing = Schema.transform(
  Schema.Literal(null, "null", "reject", "hold").annotations(expected("null, reject or hold")),
  Schema.Literal("null", "reject", "hold"),
  { strict: true, decode: (written) => written ?? "null", encode: (policy) => (policy === "null" ? null : policy) }
)

const Scalar = Schema.Union(Schema.String, Schema.Number, Schema.Boolean)

export const Column = Schema.Struct({
  type: ColumnType.annotations(expected(columnTypes)),
  /** True if the value may be missing; it is null then. */
  nullable: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  description: Schema.optional(Schema.String),
  /** Unit of numbers, such as `EUR` or `km`. Only for readers; nothing is converted. */
  unit: Schema.optional(Schema.String),
  /** The only allowed values, as stored. */
  enum: Schema.optional(Schema.NonEmptyArray(Scalar)),
  examples: Schema.optional(Schema.Array(Schema.Unknown)),
  onType: Schema.optional(OnType),
  onMissing: Schema.optional(OnMissing)
})
export type Column = typeof Column.Type

export type Columns = Readonly<Record<string, Column>>

const policies = {
  /** Policy for a field that has no column. */
  onNew: Schema.optional(OnNew),
  /** Policy for a value that does not fit its column. */
  onType: Schema.optional(OnType),
  /** Policy for a missing value in a column that is not nullable. */
  onMissing: Schema.optional(OnMissing)
}

export const OutputContract = Schema.Struct({
  ...policies,
  /** Columns that together identify a row. */
  key: Schema.optional(Schema.NonEmptyArray(Schema.String)),
  columns: Schema.Record({ key: Schema.String, value: Column })
}).pipe(
  Schema.filter(({ columns, key = [] }) => {
    const unknown = key.find((name) => !Object.hasOwn(columns, name))
    return unknown === undefined || { path: ["key"], message: `there is no column ${unknown}` }
  })
)
export type OutputContract = typeof OutputContract.Type

/** Content of a contract file. */
export const Contract = Schema.Struct({
  version: Schema.Literal(1),
  ...policies,
  /** Contracts by the id of the step that writes the output. */
  outputs: Schema.Record({ key: Schema.String, value: OutputContract })
})
export type Contract = typeof Contract.Type

/** Drift policies for a column where neither the column, nor its output, nor the contract sets one. */
const defaults = { onNew: "add", onType: "widen", onMissing: "null" } as const

/** Contract of one output, with the file's policies in place of those that the output does not set. */
export const ResolvedOutput = Schema.Struct({
  key: Schema.Array(Schema.String),
  columns: Schema.Record({ key: Schema.String, value: Column }),
  /** Names of the columns in order, set only if an object would not keep that order. */
  order: Schema.optional(Schema.Array(Schema.String)),
  onNew: OnNew,
  onType: OnType,
  onMissing: OnMissing
})
export type ResolvedOutput = typeof ResolvedOutput.Type

/** The contract for the output of a step; undefined if the file has none. */
export const outputOf = (contract: Contract | undefined, step: string): ResolvedOutput | undefined => {
  const output = contract !== undefined && Object.hasOwn(contract.outputs, step) ? contract.outputs[step] : undefined
  if (contract === undefined || output === undefined) return undefined
  return {
    key: output.key ?? [],
    columns: output.columns,
    order: fieldsOf(keysAsWritten(output.columns, output.columns)),
    onNew: output.onNew ?? contract.onNew ?? defaults.onNew,
    onType: output.onType ?? contract.onType ?? defaults.onType,
    onMissing: output.onMissing ?? contract.onMissing ?? defaults.onMissing
  }
}

/** Error of a contract file that cannot be used. */
export class ContractUnreadable extends TypedError("ContractUnreadable", { scope: "run", exitCode: ExitCode.invalid })<{
  readonly path: string
  readonly reason: string
}> {
  override get message() {
    return `The contract ${this.path} cannot be used: ${this.reason}.`
  }
}

/** Path of a definition's contract; undefined if the definition is not in a file. */
export const pathOf = ({ file, folder }: { readonly file: string; readonly folder: string }): string | undefined => {
  const { ext, name } = NodePath.parse(file)
  return /^\.(ya?ml|json|[cm]?[jt]s)$/.test(ext) ? NodePath.resolve(folder, `${name}.contract.yaml`) : undefined
}

const decode = Schema.decodeUnknownEither(Contract, { errors: "first", onExcessProperty: "error" })

/** All keys that a contract file can have, to suggest the nearest one for an unknown key. */
const keys: ReadonlyArray<string> = [Contract.fields, OutputContract.from.fields, Column.fields].flatMap(Object.keys)

/** The first schema error as text, with the position of the unknown key, or of the object in which a value is missing. */
const reasonOf = (error: ParseResult.ParseError, document: Document, lines: LineCounter): string => {
  const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
  if (issue === undefined) return "it is not in the format of a contract"
  const { _tag, message, path } = issue
  const named = `${path.map(String).join(".")}: `
  const node = path
    .map((_, index) => document.getIn(path.slice(0, path.length - index), true))
    .find((found) => isNode(found) && found.range)
  const offset = isNode(node) ? node.range?.[0] : undefined
  const { col, line } = lines.linePos(offset ?? 0)
  const place = offset === undefined ? "" : ` (line ${line}, column ${col})`
  if (_tag === "Unexpected") {
    return `${named}there is no such key${didYouMean(String(path.at(-1)), keys)}${place}`
  }
  return `${named}${message}${place}`
}

/** Parses the text of a contract file; the left side is the reason of a failure. */
export const parse = (text: string): Either.Either<Contract, string> => {
  const lines = new LineCounter()
  const document = parseYaml(text, lines)
  const [error] = document.errors
  if (error !== undefined) {
    const { col, line } = lines.linePos(error.pos[0])
    return Either.left(`${error.message} at line ${line}, column ${col}`)
  }
  return Either.flatMap(Either.try({ try: () => valueOf(document, text, 0), catch: String }), (value) =>
    Either.mapBoth(decode(value), {
      onLeft: (error) => reasonOf(error, document, lines),
      onRight: (contract) => {
        const { outputs } = value as typeof contract
        for (const [step, { columns }] of Object.entries(contract.outputs)) {
          rememberOrder(columns, keysAsWritten(columns, outputs[step]?.columns))
        }
        return contract
      }
    })
  )
}

/** Location of a definition, and the text of its contract if another machine has read it. */
interface Source {
  readonly file: string
  readonly folder: string
  /** Text of the contract as read by another machine; null if that machine found none, undefined if nothing has been read. */
  readonly contract?: string | null | undefined
}

/** Text of the contract beside a definition; null if there is none. */
export const readText = ({ contract, ...source }: Source) =>
  Effect.gen(function* () {
    const path = pathOf(source)
    if (contract !== undefined || path === undefined) return contract ?? null
    return yield* readSidecar(path).pipe(
      Effect.catchIf(
        ({ isMissing }) => isMissing,
        () => Effect.succeed(null)
      ),
      Effect.mapError(({ reason }) => new ContractUnreadable({ path, reason }))
    )
  })

/** The contract of a definition; undefined if there is none. */
export const load = (source: Source) =>
  Effect.gen(function* () {
    const text = yield* readText(source)
    if (text === null) return undefined
    const contract = parse(text)
    if (Either.isRight(contract)) return contract.right
    return yield* new ContractUnreadable({ path: pathOf(source) ?? source.file, reason: contract.left })
  })

/** Schema of files with these columns: their types, units and allowed values. Equal schemas have the same id. */
export const schemaOf = (columns: Columns) => {
  const shapes = Object.entries(columns)
    .map(([name, { enum: values, nullable, type, unit }]) => [name, { type, nullable, unit, enum: values }] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return { id: sha256(JSON.stringify(shapes)).slice(0, 16), columns: Object.fromEntries(shapes) }
}

const header = `# Contract of the outputs of this pipeline: every run checks its rows against it. Edit it as you like.
# onNew (a field without a column): add, drop, reject or hold. onType (a value that does not fit): widen, coerce, reject or hold.
# onMissing (no value): null, reject or hold. Each for all outputs, for one, and onType and onMissing for one column, too.
`

const encode = Schema.encodeSync(Contract)
const encodedDefaults = { version: 1, ...defaults, onMissing: null }

/** Text of a contract file, with one line per column. */
export const render = (contract: Contract): string => {
  const { outputs, ...frame } = encode(contract)
  const rendered = Object.entries(outputs).map(([step, { columns, ...rest }]) => {
    const lines = keysAsWritten(columns, contract.outputs[step]?.columns).map((name) => {
      const { nullable, type, ...column } = columns[name] ?? {}
      return `      ${stringify(name).trimEnd()}: ${stringify(
        { type, ...(nullable === true ? { nullable } : {}), ...column },
        { collectionStyle: "flow", lineWidth: 0 }
      ).trimEnd()}`
    })
    const own = Object.keys(rest).length === 0 ? "" : stringify(rest, { lineWidth: 0 }).replace(/^(?=.)/gm, "    ")
    return `  ${stringify(step).trimEnd()}:\n${own}    columns:${lines.length === 0 ? " {}" : `\n${lines.join("\n")}`}\n`
  })
  const body = Object.keys(outputs).length === 0 ? "outputs: {}\n" : `outputs:\n${rendered.join("")}`
  return `${header}${stringify({ ...encodedDefaults, ...frame }, { lineWidth: 0 })}${body}`
}

/** Text of a contract file with the columns of one output changed; comments and everything else stay. */
export const withColumns = (text: string, step: string, before: Columns, after: Columns): string => {
  const document = parseDocument(text)
  const path = ["outputs", step, "columns"]
  for (const [name, column] of Object.entries(after)) {
    const old = before[name]
    if (old === undefined) {
      const { nullable, type } = column
      document.setIn([...path, name], document.createNode({ type, ...(nullable ? { nullable } : {}) }, { flow: true }))
      continue
    }
    if (old.type !== column.type) document.setIn([...path, name, "type"], column.type)
    if (old.nullable !== column.nullable) document.setIn([...path, name, "nullable"], column.nullable)
    if (old.enum !== undefined && column.enum === undefined) document.deleteIn([...path, name, "enum"])
  }
  return document.toString({ lineWidth: 0 })
}
