/**
 * Compiles the fields of a definition or a request, and reads them from a page: for the format `fields`, and for the step `extract` where a
 * service does not support that format.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { faultsOfError, faultText } from "../Api/Issues.ts"
import { type FieldRows, FieldsFormat } from "../Api/PageData.ts"
import { LinearRegExp, whyNotLinear } from "../Values/LinearRegExp.ts"
import { knownLocale } from "../Values/Text.ts"
import { offsetAt } from "../Values/TimeZone.ts"
import type { Element } from "./Element.ts"
import {
  type FieldRow,
  type FieldSet,
  type FieldSource,
  type ParsedPage,
  type Place,
  type RowPlace,
  readRows,
  type Specification,
  type TextMatch
} from "./Fields.ts"
import { fingerprintOf } from "./Fingerprint.ts"
import { parseQuery } from "./Select.ts"

type WrittenField = NonNullable<FieldsFormat["fields"]>[string]
type WrittenSource = Exclude<WrittenField, string | ReadonlyArray<unknown>>
/** Where the value of a field comes from, as an object in a definition, with or without nested fields. */
export type Written = Omit<WrittenSource, "fields"> & {
  readonly fields?: Readonly<Record<string, WrittenField>> | undefined
}

/** The pattern of `a+` or `/a+/i`; the left side is the error. */
export const parsePattern = (written: string): Either.Either<RegExp, string> => {
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

/** Maximum characters of text that patterns search. */
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

/** Compiles a source of the field `name`; the left side is the first error. */
export const sourceOf = (name: string, written: string | Written): Either.Either<FieldSource, string> => {
  const source: Written = typeof written === "string" ? { css: written } : written
  return Either.gen(function* () {
    const [wrong] = wrongReading(source)
    if (wrong !== undefined) return yield* Either.left(wrong[1])
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

const fieldsOf = (fields: Readonly<Record<string, WrittenField>>): Either.Either<FieldSet, string> =>
  Either.all(
    Object.entries(fields).map(([name, field]) =>
      Either.map(
        Either.all(asList<string | Written>(field).map((each) => sourceOf(name, each))),
        (sources) => [name, sources] as const
      )
    )
  )

const rowsOf = (rows: FieldsFormat["rows"]): Either.Either<RowPlace, string> => {
  if (rows === undefined) return Either.right({ kind: "page" })
  if (typeof rows === "string") return Either.map(parseQuery(rows), (query) => ({ kind: "css", query }))
  if ("data" in rows) return Either.right({ kind: "data", type: rows.data })
  if ("list" in rows) return Either.right({ kind: "list" })
  const { table } = rows
  return typeof table === "string"
    ? Either.map(parseQuery(table), (which) => ({ kind: "table", which }))
    : Either.right({ kind: "table", which: table })
}

/** Errors in the settings for reading values, by key. */
export const wrongReading = ({
  locale,
  timezone
}: {
  readonly locale?: unknown
  readonly timezone?: unknown
}): ReadonlyArray<readonly [key: "locale" | "timezone", message: string]> => [
  ...(typeof locale === "string" && knownLocale(locale) === undefined
    ? [["locale", `"${locale}" is not a language: expected a tag like de or pt-BR`] as const]
    : []),
  ...(typeof timezone === "string" && offsetAt(timezone, 0) === undefined
    ? [["timezone", `"${timezone}" is not a time zone: expected a name like Europe/Berlin`] as const]
    : [])
]

/** Compiles rows and fields; the left side is the first error. */
export const compileRows = ({
  fields,
  locale,
  order,
  rows,
  timezone
}: Pick<FieldsFormat, "fields" | "rows" | "locale" | "order" | "timezone">): Either.Either<Specification, string> => {
  const [wrong] = wrongReading({ locale, timezone })
  if (wrong !== undefined) return Either.left(wrong[1])
  return Either.map(
    Either.all({ rows: rowsOf(rows), fields: fields === undefined ? Either.right(undefined) : fieldsOf(fields) }),
    (compiled) => ({ ...compiled, locale, order, timezone })
  )
}

type MissingField = NonNullable<FieldRows["missing"]>[number]

const missingIn = (rows: ReadonlyArray<FieldRow>): ReadonlyArray<MissingField> => {
  const found = new Map<string, MissingField & { readonly rows: Array<number> }>()
  for (const [index, { missing }] of rows.entries())
    for (const [field, { isUnreadable, why }] of missing) {
      const key = `${field}\n${why}`
      const known = found.get(key)
      if (known !== undefined) known.rows.push(index + 1)
      else found.set(key, { field, reason: why, ...(isUnreadable ? { isUnreadable } : {}), rows: [index + 1] })
    }
  return [...found.values()]
}

/** The format `fields` of a request, compiled. */
export interface FieldsQuery extends Pick<FieldsFormat, "html" | "id" | "onEmpty" | "required"> {
  /** True if the elements of this page's fields should be described (see `Fingerprint.ts`). Call it once per page, because it counts. */
  readonly describes: () => boolean
  readonly specification: Specification
  /** Time that relative dates refer to, in milliseconds since 1970; undefined for the current time. */
  readonly now: number | undefined
}

/** Elements are described on the first 20 pages of a query, then on every 64th page: a run needs few descriptions, and each costs time. */
const [describedFirst, describedEvery] = [20, 64]

const sampler = () => {
  let pages = 0
  return () => {
    const page = pages++
    return page < describedFirst || page % describedEvery === 0
  }
}

/** Maximum errors of a request named in a message. */
const maxFaults = 3

const decodeFormat = Schema.decodeUnknownEither(FieldsFormat, { onExcessProperty: "error" })

/** Compiles the format `fields` of a request; the left side is the first error. */
export const compileFormat = (particulars: unknown): Either.Either<FieldsQuery, string> =>
  Either.gen(function* () {
    const format = yield* Either.mapLeft(decodeFormat(particulars), (error) =>
      faultsOfError(error).slice(0, maxFaults).map(faultText).join("; ")
    )
    const now = format.now === undefined ? undefined : Date.parse(format.now)
    if (Number.isNaN(now))
      return yield* Either.left(`now: "${format.now}" is not a time: expected one like 2026-03-01T12:00:00Z`)
    const specification = yield* compileRows(format)
    return {
      ...Struct.pick(format, "html", "id", "onEmpty", "required"),
      describes: format.fingerprints === true ? sampler() : () => false,
      now,
      specification
    }
  })

/** Maximum fields whose elements are described. */
const maxFingerprints = 200

/**
 * Reads the rows of a page. Never fails: the result contains the page's errors. If `describes` says so, the result also describes the
 * elements of the fields, if there are any.
 */
export const readFieldRows = (
  page: ParsedPage,
  specification: Specification,
  now: number,
  describes = false
): FieldRows => {
  const found = describes ? new Map<string, Element>() : undefined
  const read = readRows(page, specification, now, found)
  if (Either.isLeft(read)) return { rows: [], error: read.left }
  const missing = missingIn(read.right)
  const elements = [...(found ?? [])].slice(0, maxFingerprints)
  return {
    rows: read.right.map(({ values }) => values),
    ...(missing.length === 0 ? {} : { missing }),
    ...(elements.length === 0
      ? {}
      : { fingerprints: Object.fromEntries(elements.map(([name, each]) => [name, fingerprintOf(each)])) })
  }
}

export const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)

/** Reason why the page or one of its rows fails; undefined if there is none. */
export const failureIn = (
  { error, missing, rows }: FieldRows,
  { onEmpty, required = [] }: Pick<FieldsFormat, "onEmpty" | "required">
): string | undefined => {
  if (error != null) return error
  if (rows.length === 0) return onEmpty === "skip" ? undefined : "no rows"
  const unread = missing?.find(({ isUnreadable }) => isUnreadable)
  if (unread !== undefined) return `row ${unread.rows[0]}: ${unread.field}: ${unread.reason}`
  for (const [index, row] of rows.entries()) {
    const name = required.find((each) => isBlank(row[each]))
    if (name === undefined) continue
    const why = missing?.find((each) => each.field === name && each.rows.includes(index + 1))?.reason
    return `row ${index + 1}: no ${name}${why === undefined ? "" : `: ${why}`}`
  }
  return undefined
}
