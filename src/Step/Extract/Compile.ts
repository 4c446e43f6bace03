/** Compiles the fields of the step `extract` for reading pages, and finds mistakes in them before the run. */
import * as Either from "effect/Either"
import type { FieldsFormat } from "../../Api/PageData.ts"
import { compileRows, parsePattern, wrongReading } from "../../Html/FieldRows.ts"
import type { Specification } from "../../Html/Fields.ts"
import { parseQuery } from "../../Html/Select.ts"
import type { Expression } from "../../Row/Expression.ts"
import { sha256 } from "../../Row/Hash.ts"
import { didYouMean } from "../../Row/Nearest.ts"
import { type Fields, isLiteral, list, mapping, type Objection } from "../Requirements.ts"

/** The fields of `extract` that say what to read from pages. */
export type RowsAsked = Pick<FieldsFormat, "fields" | "locale" | "order" | "rows" | "timezone">

type PageField = NonNullable<FieldsFormat["fields"]>[string]
type PageSource = Exclude<PageField, string | ReadonlyArray<unknown>>
type Source = PageSource & { readonly expr?: Expression | undefined }
type Field = string | Source | ReadonlyArray<string | Source>

type Config = Omit<RowsAsked, "fields"> & {
  readonly fields?: Readonly<Record<string, Field>> | undefined
}

export interface Compiled {
  readonly specification: Specification
  /** The fields before compilation, from which another thread compiles them again. */
  readonly asked: RowsAsked
  /** Fields that are expressions, in order. */
  readonly expressions: ReadonlyArray<{
    readonly name: string
    readonly expression: Expression
    readonly fallback: unknown
  }>
  /** Names of all fields in definition order; undefined if the page decides. */
  readonly order: ReadonlyArray<string> | undefined
}

const isExpression = (field: Field): field is Source & { readonly expr: Expression } =>
  typeof field === "object" && "expr" in field && field.expr !== undefined

/** Fields that are read from the page. */
const isOfPage = (entry: readonly [string, Field]): entry is readonly [string, PageField] => !isExpression(entry[1])

/** Compiles the fields of a step; the left side is the first mistake. */
export const compileFields = ({ fields, locale, order, rows, timezone }: Config): Either.Either<Compiled, string> => {
  const all = fields === undefined ? undefined : Object.entries(fields)
  const ofPage = all === undefined ? undefined : Object.fromEntries(all.filter(isOfPage))
  const asked: RowsAsked = { rows, fields: ofPage, locale, order, timezone }
  return Either.map(compileRows(asked), (specification) => ({
    specification,
    asked,
    order: all?.map(([name]) => name),
    expressions: (all ?? []).flatMap(([name, field]) =>
      isExpression(field) ? [{ name, expression: field.expr, fallback: field.default }] : []
    )
  }))
}

/** True for types whose values depend on the time of the run, such as "yesterday". */
const isOfTime = (field: unknown): boolean => /"as":"date(?:time)?"/.test(JSON.stringify(field))

/**
 * Format that returns rows instead of the page's HTML, for the fields as written; undefined if they have values known only during the run.
 */
export const formatOf = (written: Fields): (FieldsFormat & { readonly type: "fields" }) | undefined => {
  const { fields, html, keep: _, required, schema: __, ...rest } = mapping(written)
  if (html !== undefined || JSON.stringify(written)?.includes("${{") !== false) return undefined
  const ofPage =
    fields === undefined
      ? undefined
      : Object.entries(mapping(fields)).filter(([, field]) => !("expr" in mapping(field)))
  const names = ofPage?.map(([name]) => name)
  const asked = {
    ...rest,
    ...(ofPage === undefined ? {} : { fields: Object.fromEntries(ofPage) }),
    required: list(required).filter((name) => names?.includes(String(name)) ?? name !== "url")
  }
  return {
    type: "fields",
    ...asked,
    html: "failed",
    fingerprints: true,
    id: sha256(JSON.stringify(asked)).slice(0, 16),
    ...(isOfTime(ofPage) ? { now: "${{ run.startedAt }}" } : {})
  } as FieldsFormat & { readonly type: "fields" }
}

/** Path within the fields of the step. Only literals are checked before the run: other values may be known only during it. */
type At = ReadonlyArray<PropertyKey>

const ofSelector = (value: unknown, path: At): ReadonlyArray<Objection> => {
  if (!isLiteral(value)) return []
  const [, pseudo, attribute] = /::(text|attr\(([^)]*)\))\s*$/.exec(value) ?? []
  if (pseudo !== undefined) {
    const css = value.replace(/::(?:text|attr\([^)]*\))\s*$/, "")
    const instead =
      attribute === undefined ? `write ${css}` : `write { css: ${JSON.stringify(css)}, attr: ${attribute} }`
    return [{ path, message: `::${pseudo} is not part of a CSS selector: ${instead}` }]
  }
  const query = parseQuery(value)
  return Either.isLeft(query) ? [{ path, message: query.left }] : []
}

const ofPattern = (value: unknown, path: At): ReadonlyArray<Objection> => {
  const pattern = isLiteral(value) ? parsePattern(value) : undefined
  return pattern !== undefined && Either.isLeft(pattern) ? [{ path, message: pattern.left }] : []
}

const ofReading = ({ locale, timezone }: Readonly<Record<string, unknown>>, path: At): ReadonlyArray<Objection> =>
  wrongReading({
    locale: isLiteral(locale) ? locale : undefined,
    timezone: isLiteral(timezone) ? timezone : undefined
  }).map(([key, message]) => ({ path: [...path, key], message }))

/** Kinds of sources; a field has exactly one. */
const kinds = ["css", "label", "data", "meta", "column", "regex", "expr"] as const

/** Keys that require another key. */
const dependent: ReadonlyArray<readonly [key: string, needed: string]> = [
  ["attr", "css"],
  ["own", "css"],
  ["fields", "css"]
]

const ofSource = (value: unknown, path: At, hasColumns: boolean, isInList: boolean): ReadonlyArray<Objection> => {
  if (typeof value === "string") return ofSelector(value, path)
  const source = mapping(value)
  const [first, second] = kinds.filter((key) => source[key] !== undefined)
  const at = (key: string, message: string): Objection => ({ path: [...path, key], message })
  const alone: Array<Objection> = []
  if (second !== undefined)
    alone.push(
      at(
        second,
        `a source is either ${first} or ${second}: remove one, or write both as a list [{ ${first}: … }, { ${second}: … }]`
      )
    )
  else if (first === undefined && !hasColumns && value !== null && typeof value === "object")
    alone.push({ path, message: `has no source: write one of ${kinds.join(", ")}` })
  if (source.expr !== undefined && isInList)
    alone.push(at("expr", "an expression cannot be in a list: write it as the field, like { expr: a ?? b }"))
  if (source.column !== undefined && !hasColumns)
    alone.push(at("column", "there is no table: write rows: { table: SELECTOR } or rows: { list: true } beside fields"))
  for (const [key, needed] of dependent)
    if (source[key] !== undefined && source[needed] === undefined)
      alone.push(
        at(
          key,
          `"${key}" has no effect without ${needed}: remove it, or add css: ":scope" for the element of the row itself`
        )
      )
  return [
    ...alone,
    ...ofSelector(source.css, [...path, "css"]),
    ...ofPattern(source.regex, [...path, "regex"]),
    ...ofPattern(source.match, [...path, "match"]),
    ...ofReading(source, path),
    ...Object.entries(mapping(source.fields)).flatMap(([name, field]) =>
      ofField(field, [...path, "fields", name], false)
    )
  ]
}

const ofField = (field: unknown, path: At, hasColumns: boolean): ReadonlyArray<Objection> =>
  Array.isArray(field)
    ? field.flatMap((each, index) => ofSource(each, [...path, index], hasColumns, true))
    : ofSource(field, path, hasColumns, false)

/** Names in `required` that are not fields. If the page decides the names, they are not known before the run. */
const unmade = (config: Readonly<Record<string, unknown>>): ReadonlyArray<Objection> => {
  if (config.fields === undefined || typeof config.fields === "string") return []
  const names = [...Object.keys(mapping(config.fields)), ...list(config.keep).map(String), "url"]
  return list(config.required).flatMap((name, index) =>
    !isLiteral(name) || names.includes(name)
      ? []
      : [
          {
            path: ["required", index],
            message: `there is no field "${name}"${didYouMean(name, names) || `: the fields are ${names.join(", ")}`}`
          }
        ]
  )
}

/** Mistakes in the fields of the step that its schema cannot express. */
export const objectionsTo = (fields: Fields): ReadonlyArray<Objection> => {
  const config = mapping(fields)
  const { rows } = config
  const hasColumns = mapping(rows).table !== undefined || mapping(rows).list !== undefined
  return [
    ...ofSelector(
      typeof rows === "string" ? rows : mapping(rows).table,
      typeof rows === "string" ? ["rows"] : ["rows", "table"]
    ),
    ...Object.entries(mapping(config.fields)).flatMap(([name, field]) => ofField(field, ["fields", name], hasColumns)),
    ...ofReading(config, []),
    ...unmade(config)
  ]
}
