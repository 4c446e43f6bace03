/** `extract`: reads rows and typed fields from pages. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { optional } from "../Api/Field.ts"
import { type FieldRows, fieldOf, rowFields, sources } from "../Api/PageData.ts"
import { nextTurn } from "../Callback/EventLoop.ts"
import { charsetIn } from "../Html/Charset.ts"
import { isBlank, readFieldRows } from "../Html/FieldRows.ts"
import { lazily, type Missing, type ParsedPage, parsePage, type Specification } from "../Html/Fields.ts"
import { nearestTo, nearText } from "../Html/Fingerprint.ts"
import { count } from "../Row/Count.ts"
import { didYouMean } from "../Row/Nearest.ts"
import { addressOf, type Data, type Json, keyOf, type Row } from "../Row.ts"
import * as Step from "../Step.ts"
import { anyRows, sameRows } from "./Estimate.ts"
import { type Compiled, compileFields, formatOf, objectionsTo } from "./Extract/Compile.ts"
import { FieldMatches, matchText, rowsName, SavedMatches } from "./Extract/FieldMatches.ts"
import * as PageThreads from "./Extract/PageThreads.ts"
import { partOf } from "./Extract/StoredPage.ts"
import { ExpressionText, expressionFailed } from "./Field.ts"
import { mapping } from "./Requirements.ts"
import { decodeState } from "./SavedState.ts"
import { checkRow, type Schemas, type StandardSchema } from "./StandardSchema.ts"

export const Field = fieldOf({
  ...sources,
  expr: optional(ExpressionText, "An expression over the fields of the row, in place of a source.")
})

/** Fields with the HTML of a page, the preferred one first. */
const htmlFields = ["rawHtml", "html"]

/** Keys of a source that say where on the page its value is. */
const places = new Set(["css", "attr", "label", "data", "meta", "column"])

/** Fields of a definition without the locations of their values. */
const withoutPlaces = (fields: unknown): unknown =>
  Object.entries(mapping(fields)).map(([name, written]) => {
    const sources = (Array.isArray(written) ? written : [written]).map((source) =>
      JSON.stringify(
        Object.entries(mapping(source))
          .filter(([key]) => !places.has(key))
          .map(([key, value]) => [key, key === "fields" ? withoutPlaces(value) : value])
      )
    )
    return [name, [...new Set(sources)]]
  })

/** The step `extract`; its field `schema` may name one of `schemas`. */
export const make = (schemas: Schemas) =>
  Step.make({
    key: "extract",
    summary:
      "Reads rows and typed fields out of the HTML of each page, without a model: by CSS selectors, labels, tables, lists and embedded data. The HTML of the page is requested automatically and does not stay in the rows. A page without a required field is a failed row that says why.",
    example: `extract:
  rows: article.product
  fields:
    title: h2
    price: { css: .price, as: price }
    image: { css: img, attr: src }
    weight: { label: Weight, as: number }
  required: [title, price]`,
    config: Schema.Struct({
      ...rowFields,
      fields: optional(
        Schema.Record({ key: Schema.String, value: Field }),
        "Fields of a row: each name with the source of its value. Without `fields`, rows have the columns of the table or list, or the properties of the structured data."
      ),
      keep: optional(
        Schema.Array(Schema.String),
        "Fields of the input row that each row of the page keeps; `url` is always kept."
      ),
      schema: optional(
        Schema.String.pipe(
          Schema.filter(
            (name) =>
              Object.hasOwn(schemas, name) ||
              `there is no schema "${name}"${didYouMean(name, Object.keys(schemas)) || ": export it from the file that `extensions` names"}`
          )
        ).annotations({ description: "the name of a schema that the file of `extensions` exports" }),
        "A Standard Schema (zod, valibot, ArkType, Effect Schema) that checks each row. Its output becomes the row; a row that it refuses is a failed row. In TypeScript, the schema itself or its name."
      ),
      html: optional(Schema.String, "The field of the row that holds the HTML; rawHtml or html by default.")
    }).pipe(
      Schema.filter(({ fields, rows }) =>
        fields === undefined && (rows === undefined || typeof rows === "string")
          ? "needs fields, or rows: { table: true }"
          : true
      )
    ),
    objections: objectionsTo,
    readsFormat: (fields) => (mapping(fields).html === undefined ? htmlFields[0] : undefined),
    ownFormat: formatOf,
    // A repaired selector finds the same values in another place, so selectors are not compared.
    comparedBy: (config) => {
      const { fields, rows, ...rest } = mapping(config)
      return { ...rest, rows: typeof rows === "string" ? "selector" : rows, fields: withoutPlaces(fields) }
    },
    estimate: (given) => (mapping(given.config).rows === undefined ? sameRows(given) : anyRows(given)),
    behaviour: {
      kind: "transform",
      independent: true,
      make: (config, context, saved) =>
        Effect.gen(function* () {
          const compiled = yield* Either.mapLeft(
            compileFields(config),
            (message) => new Step.StepError({ reason: "InvalidFields", message, scope: "step" })
          )
          const names = config.html === undefined ? htmlFields : [config.html]
          const id = formatOf(context.written)?.id
          const checked = { ...config, schema: config.schema === undefined ? undefined : schemas[config.schema] }
          const before = yield* decodeSaved(context, saved.value)
          const matches = before === undefined ? new FieldMatches() : FieldMatches.decode(before)
          const counted = countedFields(compiled.specification)
          const earlier = yield* Effect.cached(context.matchesBefore)
          const threads = yield* PageThreads.make({ asked: compiled.asked, now: context.startedAt.getTime() })
          const given: Given = { names, id, threads, specification: compiled.specification }
          const counting: Counting = { context, counted, earlier, matches }
          let pages = 0
          let savedPages = 0
          /** Warns about fields that no row has had, not even before a resume: a selector that never matches is a mistake. */
          const unmatched = Effect.gen(function* () {
            const without = [...matches.fields].filter(
              ([name, { asked, matched }]) =>
                asked > 0 &&
                matched === 0 &&
                counted?.includes(name) === true &&
                // The rejects already report missing required fields.
                config.required?.includes(name) !== true
            )
            // The verdict on a field that earlier runs have found says more.
            const judged = without.length === 0 ? undefined : (yield* earlier)?.judged(matches.encode())
            for (const [name, { asked }] of without)
              if (judged?.has(name) !== true)
                yield* context.warnOnce(
                  `field ${name}`,
                  `no value of "${name}" in ${count(asked, "row")}: sluice extract PAGE shows what a page has`
                )
          })
          return {
            matches,
            ended: unmatched,
            save: Effect.sync(() => {
              if (pages === savedPages) return {}
              savedPages = pages
              return { value: matches.encode() as Json }
            }),
            push: (rows) =>
              Effect.gen(function* () {
                const made: Array<Row> = []
                let begun = performance.now()
                for (const some of Arr.chunksOf(rows, PageThreads.maxAtOnce)) {
                  const reads = yield* readOnThreads(some, given, matches.describes())
                  for (const [index, row] of some.entries()) {
                    if (performance.now() - begun > maxSlice) {
                      yield* nextTurn
                      begun = performance.now()
                    }
                    pages++
                    made.push(...(yield* rowsOfPage(row, reads.get(index), given, checked, compiled, counting)))
                  }
                }
                return made
              })
          }
        })
    }
  })

export const extract = make({})

const decodeSaved = decodeState(SavedMatches)

/** Fields whose matches are counted; undefined if the page decides which fields exist. */
const countedFields = ({ fields }: Specification): ReadonlyArray<string> | undefined =>
  fields?.filter(([, sources]) => sources.some(({ type }) => type !== "exists")).map(([name]) => name)

/** Maximum milliseconds of work before the event loop gets a turn. */
const maxSlice = 5

interface Config {
  readonly required?: ReadonlyArray<string> | undefined
  readonly keep?: ReadonlyArray<string> | undefined
  readonly onEmpty?: "reject" | "skip" | undefined
  readonly schema: StandardSchema | undefined
}

const failure = (reason: string, message: string) => new Step.StepError({ reason, message })

/** Sources for the rows of a page: names of fields with HTML, and the id of rows that the engine has read. */
interface Given {
  readonly names: ReadonlyArray<string>
  readonly id: string | undefined
  readonly specification: Specification
  readonly threads: PageThreads.PageThreads
}

/** True if the engine has read the rows of the page for this definition. */
const isRead = (fields: unknown, id: string | undefined): fields is FieldRows =>
  id !== undefined && mapping(fields).id === id && Array.isArray(mapping(fields).rows)

interface ReadPage {
  readonly read: FieldRows
  /** Parses the page, or returns it if it was parsed here; undefined if the engine has read its rows. */
  readonly page?: (() => ParsedPage) | undefined
}

/** HTML of the page in a row, with what its addresses depend on; undefined if the engine has read its rows, or if there is no HTML. */
const htmlIn = (row: Row, { id, names }: Given): Omit<PageThreads.Page, "describes"> | undefined => {
  const [best = "", ...others] = names
  const { [best]: raw, fields } = row.data
  if (typeof raw !== "string" && isRead(fields, id)) return undefined
  const html = [raw, ...others.map((name) => row.data[name])].find((value) => typeof value === "string")
  if (html === undefined) return undefined
  const { contentType, url: address } = mapping(row.data.metadata)
  return {
    html,
    base: typeof address === "string" ? address : addressOf(row.data),
    charset: typeof contentType === "string" ? charsetIn(contentType) : undefined
  }
}

/** Results of pages that were read on threads, by row index. */
const readOnThreads = (
  rows: ReadonlyArray<Row>,
  given: Given,
  describes: boolean
): Effect.Effect<ReadonlyMap<number, PageThreads.Read>> => {
  const pages = rows.flatMap((row, index) => {
    const page = htmlIn(row, given)
    return page === undefined ? [] : [{ ...page, index }]
  })
  const goes = given.threads.choose(pages.map(({ html }) => html))
  const reads = pages
    .filter((_, at) => goes[at])
    .map(({ index, ...page }) =>
      Effect.map(given.threads.read({ ...page, describes }), (read) => [index, read] as const)
    )
  return reads.length === 0
    ? Effect.succeed(new Map())
    : Effect.map(Effect.all(reads, { concurrency: "unbounded" }), (found) => new Map(found))
}

/** Rows of a page, from a thread, from the engine, or read from its HTML; undefined if the row has none of these. */
const readPage = (
  row: Row,
  read: FieldRows | undefined,
  given: Given,
  { context, matches }: Counting
): ReadPage | undefined => {
  const source = htmlIn(row, given)
  if (source === undefined) return isRead(row.data.fields, given.id) ? { read: row.data.fields } : undefined
  const { base, charset, html } = source
  if (read !== undefined) return { read, page: lazily(() => parsePage(html, base, charset)) }
  const page = parsePage(html, base, charset)
  const now = context.startedAt.getTime()
  return { page: () => page, read: readFieldRows(page, given.specification, now, matches.describes()) }
}

/** State for counting the pages of a step. */
interface Counting {
  readonly context: Step.Context
  /** Matches of the last good run, read only once. */
  readonly earlier: Step.Context["matchesBefore"]
  readonly matches: FieldMatches
  readonly counted: ReadonlyArray<string> | undefined
}

/** Counts the matches on a page. For the first pages without a field, says when it was last found, and what resembles it most now. */
const countMatches = (
  { page, read }: ReadPage,
  address: string | undefined,
  { rows }: Specification,
  { counted, earlier, matches }: Counting
): Effect.Effect<ReadonlyMap<string, string>> =>
  Effect.gen(function* () {
    const help = new Map<string, string>()
    const lacking = matches.add(read, counted, rows.kind !== "page", address)
    for (const name of page === undefined ? [] : lacking) {
      if (!matches.search(name)) continue
      const before = yield* earlier
      const known = before !== undefined && Object.hasOwn(before.matches, name) ? before.matches[name] : undefined
      if (page === undefined || before === undefined || known === undefined || known.matched === 0) continue
      const lead = `it matched in ${matchText(known, name)} of run ${before.runId}`
      const { fingerprint } = known
      if (fingerprint === undefined) {
        help.set(name, lead)
        continue
      }
      const nearest = nearText(nearestTo(page().tree.root, fingerprint))
      matches.found(name, nearest)
      help.set(name, `${lead}; nearest now: ${nearest}`)
    }
    return help
  })

const rowsOfPage = (
  row: Row,
  threadRead: PageThreads.Read | undefined,
  given: Given,
  config: Config,
  { expressions, order, specification }: Compiled,
  counting: Counting
): Effect.Effect<ReadonlyArray<Row>, Step.StepError> =>
  Effect.gen(function* () {
    const { context } = counting
    const url = addressOf(row.data)
    const place = url ?? "the row"
    const { names } = given
    // A row that is one part of a page is rejected with its own data: a replay of the whole page would give all of its rows again.
    const fails = (reason: string, message: string) =>
      context.failed(
        row.part === undefined ? row : { ...row, data: row.part, part: undefined },
        failure(reason, message)
      )
    if (threadRead === "TooLarge")
      return yield* fails(
        "TooLarge",
        `${place}: reading its HTML takes more than ${PageThreads.heapMegabytes} MB of memory`
      )
    const readIn = readPage(row, threadRead === "NoThread" ? undefined : threadRead, given, counting)
    if (readIn === undefined) {
      if (context.adds)
        return yield* fails(
          "NoHtml",
          `${place}: the HTML of the page was not stored: run the pipeline again for this row`
        )
      if (typeof mapping(row.data.fields).id === "string")
        return yield* fails(
          "NoHtml",
          `${place}: the page was read for other fields, of an earlier definition, and its HTML was not kept: sluice replay reads it again`
        )
      const message = `${place}: the row has no ${names.join(" or ")}: add formats: [rawHtml] to the step that fetches the page, or name the field with html: FIELD`
      return yield* fails("NoHtml", message)
    }
    const { read } = readIn
    if (read.error != null) return yield* fails("TooSlow", `${place}: ${read.error}`)
    const help = yield* countMatches(readIn, url, specification, counting)
    const found = read.rows
    if (found.length === 0 && config.onEmpty !== "skip") {
      const message = `${place}: no rows: ${[rowsWritten(specification, context), help.get(rowsName) ?? []].flat().join("; ")}; \`onEmpty: skip\` leaves such pages out`
      return yield* fails("NoRows", message)
    }
    const kept = keptOf(row, url, config.keep ?? [])
    const leftOut = isRead(row.data.fields, given.id) ? [...names, "fields"] : names
    const source = Object.fromEntries(Object.entries(row.data).filter(([name]) => !leftOut.includes(name)))
    const missingIn = missingByRow(read)
    const isPage = specification.rows.kind === "page"
    const key = keyOf(row)
    const part = row.part === undefined ? undefined : partOf(key)
    if (row.part !== undefined && !isSameRow(found[part ?? -1], row.part)) {
      const message = `${place}: the page or \`rows\` has changed since the row was extracted: run the pipeline again for this row`
      return yield* fails("NoRow", message)
    }
    const made: Array<Row> = []
    for (const [index, each] of found.entries()) {
      if (part !== undefined && part !== index) continue
      const shell: Row = {
        ...row,
        origin: undefined,
        fields: undefined,
        part: undefined,
        source,
        key: isPage || part !== undefined ? key : `${key}#${index}`,
        data: kept
      }
      const values: Record<string, unknown> = { ...each }
      const missing = new Map(missingIn.get(index + 1))
      const failed = yield* evaluate(values, missing, expressions, shell, context)
      const data: Record<string, unknown> = { ...kept }
      for (const name of order ?? Object.keys(values)) data[name] = values[name] ?? null
      const result: Row = { ...shell, data }
      const where = isPage ? place : `${place}, row ${index + 1}`
      const wrong = failed ?? missingField(missing, data, config.required ?? [], where, help)
      const output =
        wrong !== undefined || config.schema === undefined
          ? Either.right(data)
          : yield* Effect.either(accept(config.schema, data, missing, where))
      const refused = wrong ?? Either.getOrUndefined(Either.flip(output))
      // One row of a page is rejected without the page: replaying the page would give its other rows again.
      if (refused === undefined) made.push({ ...shell, data: Either.getOrElse(output, () => data) })
      else made.push(...(yield* context.failed(isPage ? row : result, refused)))
    }
    return made
  })

/** False for a row that shares no value with the row that was rejected. */
const isSameRow = (now: Data | undefined, before: Data): boolean => {
  if (now === undefined) return false
  const both = Object.keys(now).filter((name) => !isBlank(now[name]) && !isBlank(before[name]))
  return both.length === 0 || both.some((name) => JSON.stringify(now[name]) === JSON.stringify(before[name]))
}

/** Fields without a value, by row number. */
const missingByRow = ({ missing }: FieldRows): ReadonlyMap<number, ReadonlyMap<string, Missing>> => {
  const found = new Map<number, Map<string, Missing>>()
  for (const { field, isUnreadable, reason, rows } of missing ?? [])
    for (const row of rows) {
      const known = found.get(row) ?? new Map<string, Missing>()
      known.set(field, { why: reason, isUnreadable: isUnreadable === true })
      found.set(row, known)
    }
  return found
}

const keptOf = (row: Row, url: string | undefined, keep: ReadonlyArray<string>): Data => {
  const kept: Record<string, unknown> = url === undefined ? {} : { url }
  for (const name of keep) if (row.data[name] !== undefined) kept[name] = row.data[name]
  return kept
}

/** Evaluates fields that are expressions, in order. */
const evaluate = (
  values: Record<string, unknown>,
  missing: Map<string, Missing>,
  expressions: Compiled["expressions"],
  row: Row,
  context: Step.Context
): Effect.Effect<Step.StepError | undefined> =>
  Effect.gen(function* () {
    for (const { expression, fallback, name } of expressions) {
      // Leave out null fields, because null is an error for operators.
      const data = { ...row.data, ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) }
      const result = yield* Effect.either(expression.evaluate(data, context.bindings({ ...row, data })))
      if (Either.isLeft(result)) return expressionFailed(result.left)
      values[name] = result.right ?? fallback ?? null
      if (values[name] === null)
        missing.set(name, { why: `expr ${expression.source} gives nothing`, isUnreadable: false })
    }
    return undefined
  })

/** Failure of a row: a required field has no value, or a text does not match its type. */
const missingField = (
  missing: ReadonlyMap<string, Missing>,
  data: Data,
  required: ReadonlyArray<string>,
  where: string,
  help: ReadonlyMap<string, string>
): Step.StepError | undefined => {
  const name = required.find((each) => isBlank(data[each]))
  if (name !== undefined) {
    const why = missing.get(name)?.why ?? "the page does not have it"
    return failure("MissingField", `${where}: no ${name}: ${[why, help.get(name) ?? []].flat().join("; ")}`)
  }
  for (const [field, { isUnreadable, why }] of missing)
    if (isUnreadable)
      return failure(
        "WrongValue",
        `${where}: ${field}: ${why}; take a part of the text with \`match\`, or give a \`default\``
      )
  return undefined
}

/** Output of the schema for a row. */
const accept = (schema: StandardSchema, data: Data, missing: ReadonlyMap<string, Missing>, where: string) =>
  Effect.mapError(
    checkRow(schema, data, ({ field, message, path }) => {
      const why = field === undefined || data[field] !== null ? undefined : missing.get(field)?.why
      return `${path === "" ? "" : `${path}: `}${message}${why === undefined ? "" : ` (${why})`}`
    }),
    ({ message, reason }) => failure(reason, `${where}: ${message}`)
  )

const rowsWritten = ({ rows }: Specification, context: Step.Context): string => {
  if (rows.kind === "list") return "the page has no list of records (rows: { list: true })"
  const written = mapping(context.written).rows
  return rows.kind === "table"
    ? `there is no such table (rows: ${JSON.stringify(written)}), or it is empty`
    : `rows: ${JSON.stringify(written)} matches nothing`
}
