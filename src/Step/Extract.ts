/** `extract`: rows and typed fields out of pages. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { nextTurn } from "../Callback/EventLoop.ts"
import { type Missing, readRows, type Specification } from "../Html/Fields.ts"
import { fieldTypes } from "../Html/FieldValue.ts"
import { addressOf, type Data, keyOf, type Row } from "../Row.ts"
import * as Step from "../Step.ts"
import { anyRows, sameRows } from "./Estimate.ts"
import { type Compiled, compileFields, objectionsTo } from "./Extract/Compile.ts"
import { ExpressionText, expressionFailed } from "./Field.ts"
import { mapping } from "./Requirements.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>, description: string) =>
  Schema.optional(schema).annotations({ description })

const Selector = Schema.String.annotations({ description: "a CSS selector" })

const reading = {
  locale: optional(Schema.String, "Language of numbers, prices and dates, like de-DE; that of the page by default."),
  order: optional(
    Schema.Literal("DMY", "MDY", "YMD"),
    "Order of day, month and year in dates of numbers; that of the language by default."
  ),
  timezone: optional(Schema.String, "Time zone of times that name none, like Europe/Berlin; UTC by default.")
}

const sources = {
  css: optional(Selector, "The first element that this CSS selector matches, below the row's element."),
  label: optional(
    Schema.Union(Schema.String, Schema.Array(Schema.String)),
    "The value beside this label, or the first of several: th and td, dt and dd, or text like `Weight: 2 kg`."
  ),
  data: optional(
    Schema.String,
    "A value that the page states for programs (JSON-LD, microdata, RDFa): type and path, like Product.offers.price."
  ),
  meta: optional(
    Schema.String,
    "The content of a meta element, like description or og:image; also title and canonical."
  ),
  column: optional(
    Schema.String,
    "The cell in this column of the table, by its header or number; by default the field's own name."
  ),
  regex: optional(Schema.String, "What this pattern matches in the text of the row: its first group, or all of it."),
  attr: optional(Schema.String, "An attribute of the element, in place of its text; addresses become absolute."),
  own: optional(Schema.Boolean, "Only the element's own text, without that of the elements in it."),
  all: optional(Schema.Boolean, "Every match, as an array."),
  match: optional(
    Schema.String,
    "A pattern for the text: the value is its first group, or all that it matches. /…/i ignores case."
  ),
  as: optional(
    Schema.Literal(...fieldTypes),
    "Type of the value; text by default. A text that does not fit the type fails the row."
  ),
  default: optional(Schema.Unknown, "The value where nothing matches, or where the text does not fit the type."),
  ...reading
}

const inner = Schema.Struct(sources).annotations({ description: "an object with the source of the field" })
const Inner = Schema.Union(Selector, Schema.Array(Schema.Union(Selector, inner)), inner).annotations({
  description: "a CSS selector, an object with a source, or a list of them"
})

const Source = Schema.Struct({
  ...sources,
  fields: optional(
    Schema.Record({ key: Schema.String, value: Inner }),
    "The value is an object of these fields, which are relative to the element."
  ),
  expr: optional(ExpressionText, "An expression over the fields of the row, in place of a source.")
}).annotations({ description: "an object with the source of the field" })

export const Field = Schema.Union(Selector, Schema.Array(Schema.Union(Selector, Source)), Source).annotations({
  description: "a CSS selector, an object with a source, or a list of them of which the first with a value counts"
})

const Rows = Schema.Union(
  Selector,
  Schema.Struct({
    table: Schema.propertySignature(
      Schema.Union(Schema.Literal(true), Schema.Int.pipe(Schema.positive()), Selector).annotations({
        description: "a CSS selector, the number of a table from 1, or true for the largest"
      })
    ).annotations({ description: "One row for each row of a table." })
  }),
  Schema.Struct({
    data: Schema.propertySignature(Schema.String.annotations({ description: "a type like Product" })).annotations({
      description: "One row for each item of this type that the page states for programs."
    })
  })
).annotations({ description: "a CSS selector, { table: … } or { data: … }" })

/** HTML fields of a page, the best first. */
const htmlFields = ["rawHtml", "html"]

export const extract = Step.make({
  key: "extract",
  summary:
    "Reads rows and typed fields out of the HTML of each page, without a model: by CSS selectors, labels, tables and embedded data. The page's HTML is asked for by itself and does not stay in the rows. A page without a required field is a failed row that says why.",
  example: `extract:
  rows: article.product
  fields:
    title: h2
    price: { css: .price, as: price }
    image: { css: img, attr: src }
    weight: { label: Weight, as: number }
  required: [title, price]`,
  config: Schema.Struct({
    rows: optional(Rows, "What makes a row; without it, each page is one."),
    fields: optional(
      Schema.Record({ key: Schema.String, value: Field }),
      "The fields of a row: each name with its source. Without fields, a table gives its columns and data its properties."
    ),
    required: optional(Schema.Array(Schema.String), "Fields without which a row fails."),
    keep: optional(Schema.Array(Schema.String), "Fields of the page's row that its rows keep; `url` always stays."),
    onEmpty: optional(
      Schema.Literal("reject", "skip"),
      "What happens to a page without any row: reject (the default) or skip."
    ),
    html: optional(Schema.String, "The field of the row that holds the HTML; rawHtml or html by default."),
    ...reading
  }).pipe(
    Schema.filter(({ fields, rows }) =>
      fields === undefined && (rows === undefined || typeof rows === "string")
        ? "needs fields, or rows: { table: true }"
        : true
    )
  ),
  objections: objectionsTo,
  readsFormat: (fields) => (mapping(fields).html === undefined ? htmlFields[0] : undefined),
  estimate: (given) => (mapping(given.config).rows === undefined ? sameRows(given) : anyRows(given)),
  behaviour: {
    kind: "transform",
    alone: true,
    make: (config, context) =>
      Effect.gen(function* () {
        const compiled = yield* Either.mapLeft(
          compileFields(config),
          (message) => new Step.StepError({ reason: "InvalidFields", message, scope: "step" })
        )
        const names = config.html === undefined ? htmlFields : [config.html]
        const pagesToRows = (row: Row) => rowsOfPage(row, names, config, compiled, context)
        return {
          push: (rows) =>
            Effect.gen(function* () {
              const made: Array<Row> = []
              let begun = performance.now()
              for (const row of rows) {
                if (performance.now() - begun > maxSlice) {
                  yield* nextTurn
                  begun = performance.now()
                }
                made.push(...(yield* pagesToRows(row)))
              }
              return made
            })
        }
      })
  }
})

/** Milliseconds of work before the event loop runs. */
const maxSlice = 5

interface Config {
  readonly required?: ReadonlyArray<string> | undefined
  readonly keep?: ReadonlyArray<string> | undefined
  readonly onEmpty?: "reject" | "skip" | undefined
}

const failure = (reason: string, message: string) => new Step.StepError({ reason, message })

const rowsOfPage = (
  row: Row,
  names: ReadonlyArray<string>,
  config: Config,
  { expressions, order, specification }: Compiled,
  context: Step.Context
): Effect.Effect<ReadonlyArray<Row>, Step.StepError> =>
  Effect.gen(function* () {
    const url = addressOf(row.data)
    const place = url ?? "the row"
    const html = names.map((name) => row.data[name]).find((value) => typeof value === "string")
    if (html === undefined) {
      const message = `${place}: the row has no ${names.join(" or ")}: ask the step that fetches the page for formats: [rawHtml], or name the field with html: FIELD`
      return yield* context.failed(row, failure("NoHtml", message))
    }
    const { url: address } = mapping(row.data.metadata)
    const base = typeof address === "string" ? address : url
    const read = readRows(html, specification, { url: base, now: context.startedAt.getTime() })
    if (Either.isLeft(read)) return yield* context.failed(row, failure("TooSlow", `${place}: ${read.left}`))
    const found = read.right
    if (found.length === 0 && config.onEmpty !== "skip") {
      const message = `${place}: no rows: ${rowsWritten(specification, context)}; \`onEmpty: skip\` leaves such pages out`
      return yield* context.failed(row, failure("NoRows", message))
    }
    const kept = keptOf(row, url, config.keep ?? [])
    const source = Object.fromEntries(Object.entries(row.data).filter(([name]) => !names.includes(name)))
    const isPage = specification.rows.kind === "page"
    const key = keyOf(row)
    const made: Array<Row> = []
    for (const [index, each] of found.entries()) {
      const shell: Row = {
        ...row,
        origin: undefined,
        fields: undefined,
        source,
        key: isPage ? key : `${key}#${index}`,
        data: kept
      }
      const values: Record<string, unknown> = { ...each.values }
      const missing = new Map(each.missing)
      const failed = yield* evaluate(values, missing, expressions, shell, context)
      const data: Record<string, unknown> = { ...kept }
      for (const name of order ?? Object.keys(values)) data[name] = values[name] ?? null
      const result: Row = { ...shell, data }
      const wrong = failed ?? missingField(missing, data, config.required ?? [], place, isPage ? undefined : index + 1)
      // One row of a page is rejected without the page: a replay of it would give its other rows again.
      if (wrong === undefined) made.push(result)
      else made.push(...(yield* context.failed(isPage ? row : result, wrong)))
    }
    return made
  })

const keptOf = (row: Row, url: string | undefined, keep: ReadonlyArray<string>): Data => {
  const kept: Record<string, unknown> = url === undefined ? {} : { url }
  for (const name of keep) if (row.data[name] !== undefined) kept[name] = row.data[name]
  return kept
}

/** Fields of expressions, in their order. */
const evaluate = (
  values: Record<string, unknown>,
  missing: Map<string, Missing>,
  expressions: Compiled["expressions"],
  row: Row,
  context: Step.Context
): Effect.Effect<Step.StepError | undefined> =>
  Effect.gen(function* () {
    for (const { expression, fallback, name } of expressions) {
      // As in rows that leave a field out: null is an error for operators.
      const data = { ...row.data, ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) }
      const result = yield* Effect.either(expression.evaluate(data, context.bindings({ ...row, data })))
      if (Either.isLeft(result)) return expressionFailed(result.left)
      values[name] = result.right ?? fallback ?? null
      if (values[name] === null)
        missing.set(name, { why: `expr ${expression.source} gives nothing`, isUnreadable: false })
    }
    return undefined
  })

const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)

/** The failure of a row: a required field has no value, or a text does not fit its type. */
const missingField = (
  missing: ReadonlyMap<string, Missing>,
  data: Data,
  required: ReadonlyArray<string>,
  place: string,
  number: number | undefined
): Step.StepError | undefined => {
  const where = number === undefined ? place : `${place}, row ${number}`
  const name = required.find((each) => isBlank(data[each]))
  if (name !== undefined)
    return failure("MissingField", `${where}: no ${name}: ${missing.get(name)?.why ?? "the page does not have it"}`)
  for (const [field, { isUnreadable, why }] of missing)
    if (isUnreadable)
      return failure(
        "WrongValue",
        `${where}: ${field}: ${why}; \`match\` takes a part of a text, \`default\` stands in`
      )
  return undefined
}

const rowsWritten = ({ rows }: Specification, context: Step.Context): string => {
  const written = mapping(context.written).rows
  return rows.kind === "table"
    ? `there is no such table (rows: ${JSON.stringify(written)}), or it is empty`
    : `rows: ${JSON.stringify(written)} matches nothing`
}
