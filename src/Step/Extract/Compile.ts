/** Compiles the fields of `extract`, and says what is wrong in them before the run. */
import * as Either from "effect/Either"
import type { FieldSet, FieldSource, Place, RowPlace, Specification, TextMatch } from "../../Html/Fields.ts"
import type { FieldType } from "../../Html/FieldValue.ts"
import { parseQuery } from "../../Html/Select.ts"
import { LinearRegExp, whyNotLinear } from "../../Row/Expression/Regex.ts"
import type { Expression } from "../../Row/Expression.ts"
import { didYouMean } from "../../Row/Nearest.ts"
import type { Order } from "../../Values/Date.ts"
import { knownLocale } from "../../Values/Text.ts"
import { offsetAt } from "../../Values/TimeZone.ts"
import { type Fields, list, mapping, type Objection } from "../Requirements.ts"

/** A source as a definition has it. */
export interface Written {
  readonly css?: string | undefined
  readonly label?: string | ReadonlyArray<string> | undefined
  readonly data?: string | undefined
  readonly meta?: string | undefined
  readonly column?: string | undefined
  readonly regex?: string | undefined
  readonly attr?: string | undefined
  readonly own?: boolean | undefined
  readonly all?: boolean | undefined
  readonly match?: string | undefined
  readonly as?: FieldType | undefined
  readonly default?: unknown
  readonly locale?: string | undefined
  readonly order?: Order | undefined
  readonly timezone?: string | undefined
  readonly fields?: Readonly<Record<string, WrittenField>> | undefined
  readonly expr?: Expression | undefined
}

type WrittenField = string | Written | ReadonlyArray<string | Written>

interface Config {
  readonly rows?: string | { readonly table: string | number | true } | { readonly data: string } | undefined
  readonly fields?: Readonly<Record<string, WrittenField>> | undefined
  readonly locale?: string | undefined
  readonly order?: Order | undefined
  readonly timezone?: string | undefined
}

export interface Compiled {
  readonly specification: Specification
  /** The fields that are expressions, in their order. */
  readonly expressions: ReadonlyArray<{
    readonly name: string
    readonly expression: Expression
    readonly fallback: unknown
  }>
  /** Names of all fields in the order of the definition; undefined where the page decides. */
  readonly order: ReadonlyArray<string> | undefined
}

const parsePattern = (written: string): Either.Either<RegExp, string> => {
  const [, body = written, flags = ""] = /^\/(.*)\/([ims]*)$/s.exec(written) ?? []
  return Either.flatMap(
    Either.try({
      try: () => new RegExp(body, `g${flags}`),
      catch: (cause) =>
        `${JSON.stringify(written)} is not a pattern: ${cause instanceof Error ? cause.message : String(cause)}`
    }),
    (pattern) => {
      const why = whyNotLinear(pattern)
      return why === undefined ? Either.right(pattern) : Either.left(`${JSON.stringify(written)}: ${why}`)
    }
  )
}

/** Longest text that patterns read. */
const maxText = 1_000_000

const compilePattern = (written: string): Either.Either<TextMatch, string> =>
  Either.map(parsePattern(written), (pattern) => {
    const linear = new LinearRegExp(pattern)
    return (text, most) => {
      const found: Array<string> = []
      const read = text.slice(0, maxText)
      linear.lastIndex = 0
      for (let match = linear.exec(read); match !== null && found.length < most; match = linear.exec(read)) {
        const [whole = "", ...groups] = match
        const value = groups.find((group) => group !== undefined) ?? whole
        if (value !== "") found.push(value)
        if (whole === "") linear.lastIndex++
      }
      return found
    }
  })

const asList = <A>(value: A | ReadonlyArray<A>): ReadonlyArray<A> => (Array.isArray(value) ? value : [value as A])

const placeOf = (name: string, source: Written): Either.Either<readonly [Place, string], string> => {
  const { attr, column, css, data, label, meta, own, regex } = source
  if (css !== undefined)
    return Either.map(parseQuery(css), (query) => [
      { kind: "css", query, attribute: attr?.toLowerCase(), own },
      `css ${JSON.stringify(css)}${attr === undefined ? "" : ` with attr ${attr}`}`
    ])
  if (label !== undefined)
    return Either.right([
      { kind: "label", names: asList(label) },
      `label ${asList(label)
        .map((each) => JSON.stringify(each))
        .join(" or ")}`
    ])
  if (data !== undefined) return Either.right([{ kind: "data", name: data }, `data ${data}`])
  if (meta !== undefined) return Either.right([{ kind: "meta", name: meta }, `meta ${meta}`])
  if (regex !== undefined)
    return Either.map(compilePattern(regex), (find) => [{ kind: "regex", find }, `regex ${regex}`])
  return Either.right([{ kind: "column", name: column ?? name }, `column ${JSON.stringify(column ?? name)}`])
}

/** Compiles a source of the field `name`; the left side is its first mistake. */
export const sourceOf = (name: string, written: string | Written): Either.Either<FieldSource, string> => {
  const source: Written = typeof written === "string" ? { css: written } : written
  return Either.gen(function* () {
    const [place, text] = yield* placeOf(name, source)
    const match = source.match === undefined ? undefined : yield* compilePattern(source.match)
    const fields = source.fields === undefined ? undefined : yield* fieldsOf(source.fields)
    return {
      place,
      written: text,
      type: source.as ?? "text",
      all: source.all === true,
      match,
      fields,
      locale: source.locale,
      order: source.order,
      timezone: source.timezone,
      fallback: source.default === undefined ? undefined : { value: source.default }
    }
  })
}

const isExpression = (field: WrittenField): field is Written & { readonly expr: Expression } =>
  typeof field === "object" && "expr" in field && field.expr !== undefined

const fieldsOf = (fields: Readonly<Record<string, WrittenField>>): Either.Either<FieldSet, string> =>
  Either.all(
    Object.entries(fields)
      .filter(([, field]) => !isExpression(field))
      .map(([name, field]) =>
        Either.map(
          Either.all(asList<string | Written>(field).map((each) => sourceOf(name, each))),
          (sources) => [name, sources] as const
        )
      )
  )

const rowsOf = (rows: Config["rows"]): Either.Either<RowPlace, string> => {
  if (rows === undefined) return Either.right({ kind: "page" })
  if (typeof rows === "string") return Either.map(parseQuery(rows), (query) => ({ kind: "css", query }))
  if ("data" in rows) return Either.right({ kind: "data", type: rows.data })
  const { table } = rows
  return typeof table === "string"
    ? Either.map(parseQuery(table), (which) => ({ kind: "table", which }))
    : Either.right({ kind: "table", which: table })
}

/** Compiles a step; the left side is the first mistake. */
export const compileFields = ({ fields, locale, order, rows, timezone }: Config): Either.Either<Compiled, string> =>
  Either.map(
    Either.all({ rows: rowsOf(rows), own: fields === undefined ? Either.right(undefined) : fieldsOf(fields) }),
    ({ own, rows }) => ({
      specification: { rows, fields: own, locale, order, timezone },
      order: fields === undefined ? undefined : Object.keys(fields),
      expressions: Object.entries(fields ?? {}).flatMap(([name, field]) =>
        isExpression(field) ? [{ name, expression: field.expr, fallback: field.default }] : []
      )
    })
  )

/** Values that come with the run are not checked before it. */
const isLiteral = (value: unknown): value is string => typeof value === "string" && !value.includes("${{")

type At = ReadonlyArray<PropertyKey>

const ofSelector = (value: unknown, path: At): ReadonlyArray<Objection> => {
  if (!isLiteral(value)) return []
  const [, pseudo, attribute] = /::(text|attr\(([^)]*)\))\s*$/.exec(value) ?? []
  if (pseudo !== undefined) {
    const css = value.replace(/::(?:text|attr\([^)]*\))\s*$/, "")
    const instead =
      attribute === undefined ? `write ${css}` : `write { css: ${JSON.stringify(css)}, attr: ${attribute} }`
    return [{ path, message: `::${pseudo} is no part of a CSS selector: ${instead}` }]
  }
  if (/^\.?\/\//.test(value))
    return [{ path, message: `"${value}" is an XPath: write a CSS selector, like div.price > span` }]
  const query = parseQuery(value)
  return Either.isLeft(query) ? [{ path, message: query.left }] : []
}

const ofPattern = (value: unknown, path: At): ReadonlyArray<Objection> => {
  const pattern = isLiteral(value) ? parsePattern(value) : undefined
  return pattern !== undefined && Either.isLeft(pattern) ? [{ path, message: pattern.left }] : []
}

const ofReading = (source: Readonly<Record<string, unknown>>, path: At): ReadonlyArray<Objection> => {
  const { locale, timezone } = source
  return [
    ...(isLiteral(locale) && knownLocale(locale) === undefined
      ? [{ path: [...path, "locale"], message: `"${locale}" is not a language: expected a tag like de or pt-BR` }]
      : []),
    ...(isLiteral(timezone) && offsetAt(timezone, 0) === undefined
      ? [
          {
            path: [...path, "timezone"],
            message: `"${timezone}" is not a time zone: expected a name like Europe/Berlin`
          }
        ]
      : [])
  ]
}

/** Sources, of which a field has one. */
const kinds = ["css", "label", "data", "meta", "column", "regex", "expr"] as const

/** Keys that need another one beside them. */
const dependent: ReadonlyArray<readonly [key: string, needed: string]> = [
  ["attr", "css"],
  ["own", "css"],
  ["fields", "css"]
]

const ofSource = (value: unknown, path: At, isTable: boolean, isInList: boolean): ReadonlyArray<Objection> => {
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
  else if (first === undefined && !isTable && value !== null && typeof value === "object")
    alone.push({ path, message: `has no source: write one of ${kinds.join(", ")}` })
  if (source.expr !== undefined && isInList)
    alone.push(at("expr", "an expression cannot stand in a list: write it as the field, like { expr: a ?? b }"))
  if (source.column !== undefined && !isTable)
    alone.push(at("column", "there is no table: write rows: { table: SELECTOR } beside fields"))
  for (const [key, needed] of dependent)
    if (source[key] !== undefined && source[needed] === undefined)
      alone.push(at(key, `"${key}" has no effect without ${needed}: remove it`))
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

const ofField = (field: unknown, path: At, isTable: boolean): ReadonlyArray<Objection> =>
  Array.isArray(field)
    ? field.flatMap((each, index) => ofSource(each, [...path, index], isTable, true))
    : ofSource(field, path, isTable, false)

/** Names that the page decides are not known before the run. */
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
  const isTable = mapping(rows).table !== undefined
  return [
    ...ofSelector(
      typeof rows === "string" ? rows : mapping(rows).table,
      typeof rows === "string" ? ["rows"] : ["rows", "table"]
    ),
    ...Object.entries(mapping(config.fields)).flatMap(([name, field]) => ofField(field, ["fields", name], isTable)),
    ...ofReading(config, []),
    ...unmade(config)
  ]
}
