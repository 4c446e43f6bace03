/**
 * Profile of the rows that one sink has written: what they look like, in bounded size and without any of their values.
 *
 * - Every row counts in `rows`, and may be in the sample that finds repeated rows. Fields are measured in the first 500 rows and then in
 *   ever fewer of them, chosen by position, each with the weight of those that it stands for: a long run pays for some
 *   thousand rows.
 * - At most 200 fields: those of a row, and one level of the objects in them (`metadata.title`).
 * - Merging the profiles of two parts gives the profile of the whole; a resumed run continues with the saved one.
 */
import * as Schema from "effect/Schema"
import { languageOf } from "./Language.ts"
import { DistinctSketch, hashValue, QuantileSketch } from "./Sketch.ts"

type Data = Readonly<Record<string, unknown>>

const maxFields = 200
const distinctOfRows = 512
const distinctOfField = 64
/** Different values up to which the share of each one is a figure. */
const maxListed = 12
/** Rows of which every one is measured. From there on each factor of 4 quarters the share that is measured. */
const rowsInFull = 500

/** Spreads the measured rows, so that a period in the rows does not matter. */
const isMeasured = (position: number, stride: number): boolean =>
  stride === 1 || (Math.imul(position ^ (position >>> 15), 0x9e3779b1) >>> 8) % stride === 0

/** Characters of a string that are searched for broken encodings. */
const maxSearched = 1000
/** U+FFFD, and UTF-8 that was read as Latin-1 or Windows-1252. */
const garbledText = /\ufffd|[\u00c2\u00c3][\u0080-\u00bf\u0192\u201a-\u203a]|\u00e2\u20ac/

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Texts of a field whose language is looked at one by one; after them every eighth. */
const textsInFull = 64

/** Kind of a string, by its first character and then by a pattern. */
const kindOf = (text: string): string => {
  const code = text.charCodeAt(0)
  if (isDigit(code) || code === 45 || code === 43) {
    if (text.length <= 40 && /^\d{4}-\d\d(-\d\d([T ][\d:.]+.*)?)?$/.test(text)) return "date"
    return text.length <= 40 && /^[-+]?\d[\d.,' ]*$/.test(text) ? "numeric" : "text"
  }
  if (code === 104 && /^https?:\/\//.test(text)) return "link"
  return code === 60 ? "markup" : "text"
}

const Counts = Schema.Record({ key: Schema.String, value: Schema.Number })
const Numbers = Schema.Array(Schema.Number)

const SavedField = Schema.Struct({
  measured: Schema.Number,
  filled: Schema.Number,
  garbled: Schema.Number,
  types: Counts,
  languages: Counts,
  distinct: Schema.Tuple(Schema.String, Numbers),
  lengths: Numbers,
  numbers: Numbers
})

/** A profile as the ledger stores it. */
export const SavedProfile = Schema.Struct({
  rows: Schema.Number,
  measured: Schema.Number,
  weight: Schema.Number,
  distinct: Schema.Tuple(Schema.String, Numbers),
  fields: Schema.Record({ key: Schema.String, value: SavedField })
})
export type SavedProfile = typeof SavedProfile.Type

const addTo = (counts: Map<string, number>, key: string, count: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + count)
}

const sharesOf = (counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> => {
  let total = 0
  for (const count of counts.values()) total += count
  return Object.fromEntries(Array.from(counts, ([key, count]) => [key, count / total]))
}

class FieldProfile {
  /** Filled values that were measured, and the rows that they stand for. */
  measured = 0
  filled = 0
  garbled = 0
  types = new Map<string, number>()
  languages = new Map<string, number>()
  distinct = new DistinctSketch(distinctOfField)
  lengths = new QuantileSketch()
  numbers = new QuantileSketch()

  /** Adds a value that is neither null nor empty. */
  add(value: unknown, weight: number): void {
    this.measured++
    this.filled += weight
    this.distinct.add(hashValue(value))
    if (typeof value === "string") {
      const kind = kindOf(value)
      addTo(this.types, kind, weight)
      this.lengths.add(value.length, weight)
      if (kind !== "text") return
      if (garbledText.test(value.length > maxSearched ? value.slice(0, maxSearched) : value)) this.garbled += weight
      if (this.measured > textsInFull && this.measured % 8 !== 0) return
      addTo(this.languages, languageOf(value) ?? "other", weight)
    } else if (typeof value === "number") {
      addTo(this.types, "number", weight)
      if (Number.isFinite(value)) this.numbers.add(value, weight)
    } else if (Array.isArray(value)) {
      addTo(this.types, "array", weight)
      this.lengths.add(value.length, weight)
    } else addTo(this.types, typeof value, weight)
  }

  merge(other: FieldProfile): void {
    this.measured += other.measured
    this.filled += other.filled
    this.garbled += other.garbled
    for (const [type, count] of other.types) addTo(this.types, type, count)
    for (const [language, count] of other.languages) addTo(this.languages, language, count)
    this.distinct.merge(other.distinct)
    this.lengths.merge(other.lengths)
    this.numbers.merge(other.numbers)
  }

  encode(): typeof SavedField.Type {
    return {
      measured: this.measured,
      filled: this.filled,
      garbled: this.garbled,
      types: Object.fromEntries(this.types),
      languages: Object.fromEntries(this.languages),
      distinct: this.distinct.encode(),
      lengths: this.lengths.encode(),
      numbers: this.numbers.encode()
    }
  }

  static decode(saved: typeof SavedField.Type): FieldProfile {
    const field = new FieldProfile()
    field.measured = saved.measured
    field.filled = saved.filled
    field.garbled = saved.garbled
    field.types = new Map(Object.entries(saved.types))
    field.languages = new Map(Object.entries(saved.languages))
    field.distinct = DistinctSketch.decode(distinctOfField, saved.distinct)
    field.lengths = QuantileSketch.decode(saved.lengths)
    field.numbers = QuantileSketch.decode(saved.numbers)
    return field
  }
}

const isFilled = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0)

export class Profile {
  rows = 0
  /** Rows whose fields were measured, and the rows that they stand for. */
  private measured = 0
  private weight = 0
  private distinct = new DistinctSketch(distinctOfRows, true)
  /** One row in `stride` is measured. */
  private stride = 1
  /** Row at which `stride` grows fourfold. */
  private limit = rowsInFull
  private readonly fields = new Map<string, FieldProfile>()

  add(data: Data): void {
    const position = this.rows++
    this.distinct.addRow(data)
    while (position >= this.limit) {
      this.stride *= 4
      this.limit *= 4
    }
    const { stride } = this
    if (!isMeasured(position, stride)) return
    this.measured++
    this.weight += stride
    for (const name in data) {
      const value = data[name]
      if (!isFilled(value)) continue
      this.addField(name, value, stride)
      if (typeof value !== "object" || Array.isArray(value)) continue
      const nested = value as Data
      for (const inner in nested) {
        if (isFilled(nested[inner])) this.addField(`${name}.${inner}`, nested[inner], stride)
      }
    }
  }

  private addField(name: string, value: unknown, weight: number): void {
    let field = this.fields.get(name)
    if (field === undefined) {
      if (this.fields.size >= maxFields) return
      field = new FieldProfile()
      this.fields.set(name, field)
    }
    field.add(value, weight)
  }

  merge(other: Profile): void {
    this.rows += other.rows
    this.measured += other.measured
    this.weight += other.weight
    this.distinct.merge(other.distinct)
    for (const [name, theirs] of other.fields) {
      const ours = this.fields.get(name)
      if (ours !== undefined) ours.merge(theirs)
      else if (this.fields.size < maxFields) this.fields.set(name, theirs)
    }
  }

  encode(): SavedProfile {
    return {
      rows: this.rows,
      measured: this.measured,
      weight: this.weight,
      distinct: this.distinct.encode(),
      fields: Object.fromEntries(Array.from(this.fields, ([name, field]) => [name, field.encode()]))
    }
  }

  static decode(saved: SavedProfile): Profile {
    const profile = new Profile()
    profile.rows = saved.rows
    profile.measured = saved.measured
    profile.weight = saved.weight
    profile.distinct = DistinctSketch.decode(distinctOfRows, saved.distinct, true)
    for (const [name, field] of Object.entries(saved.fields)) profile.fields.set(name, FieldProfile.decode(field))
    return profile
  }

  /** Figures for comparisons; `previous` is the last good run of the same series. */
  metrics(previous?: Profile): SinkMetrics {
    const fields = Array.from(this.fields, ([name, field]) => [name, fieldMetrics(field, this.weight)] as const)
    return {
      rows: this.rows,
      measured: this.measured,
      repeated: this.distinct.repeated,
      ...(previous === undefined ? {} : { unchanged: this.distinct.sharedWith(previous.distinct) ?? 0 }),
      fields: Object.fromEntries(fields)
    }
  }
}

const fieldMetrics = (field: FieldProfile, weight: number): FieldMetrics => ({
  ...listed(field.distinct),
  measured: field.measured,
  fill: weight === 0 ? 0 : field.filled / weight,
  types: sharesOf(field.types),
  languages: sharesOf(field.languages),
  garbled: field.filled === 0 ? 0 : field.garbled / field.filled,
  distinct: field.distinct.distinct,
  repeated: field.distinct.repeated,
  lengths: quantilesOf(field.lengths),
  numbers: quantilesOf(field.numbers)
})

const listed = (distinct: DistinctSketch): Pick<FieldMetrics, "values"> => {
  const values = distinct.shares(maxListed)
  return values === undefined ? {} : { values }
}

const quantilesOf = (sketch: QuantileSketch): ReadonlyArray<number> =>
  sketch.count === 0 ? [] : [sketch.min, ...quantiles.map((share) => sketch.quantile(share) ?? 0), sketch.max]

/** Between the smallest and the largest value of {@link FieldMetrics}. */
const quantiles = [0.1, 0.5, 0.9] as const

export const FieldMetrics = Schema.Struct({
  /** Filled values that were looked at. */
  measured: Schema.Number,
  /** Share of the rows in which the field is neither missing nor null nor empty. */
  fill: Schema.Number,
  /** Share of each type among the filled values: number, boolean, object, array; of strings text, numeric, date, link, markup. */
  types: Counts,
  /** Share of each language, or script, among the texts; `other` for short ones and those of another language. */
  languages: Counts,
  /** Share of the values with broken encoding. */
  garbled: Schema.Number,
  /** Distinct values among those that were looked at. */
  distinct: Schema.Number,
  /** Share of the values that repeat another one. */
  repeated: Schema.Number,
  /** Share of each value, by its hash, of a field with few different ones. */
  values: Schema.optional(Counts),
  /** Smallest, 10 %, median, 90 % and largest length of strings (characters) and arrays (elements); empty without any. */
  lengths: Numbers,
  /** The same of numbers. */
  numbers: Numbers
})
export interface FieldMetrics extends Schema.Schema.Type<typeof FieldMetrics> {}

/** Figures of one sink of a run. */
export const SinkMetrics = Schema.Struct({
  rows: Schema.Number,
  /** Rows whose fields were looked at. */
  measured: Schema.Number,
  /** Share of the rows that repeat another row of the run. */
  repeated: Schema.Number,
  /** Share of the rows that the last good run had, too. Undefined in the first one. */
  unchanged: Schema.optional(Schema.Number),
  fields: Schema.Record({ key: Schema.String, value: FieldMetrics })
})
export interface SinkMetrics extends Schema.Schema.Type<typeof SinkMetrics> {}

/** Figures of a run as a whole. */
export const RunMetrics = Schema.Struct({
  /** Rows that each step has emitted. */
  steps: Counts,
  /** Share of the rows of the sources that were rejected. */
  rejected: Schema.Number,
  /** Pages that were requested. */
  pages: Schema.Number,
  /** Share of the pages by status class: 2xx, 3xx, 4xx, 5xx; `error` without an answer, `blocked` where the site showed something else, `unread` for files whose text could not be read. */
  statuses: Counts
})
export interface RunMetrics extends Schema.Schema.Type<typeof RunMetrics> {}
