/**
 * Profile of the rows that one sink has written: describes them in bounded size and contains none of their values. The profile of an
 * `extract` has no rows, only the matches of its fields.
 *
 * - Measures the fields of the first 500 rows, then of ever fewer rows, chosen by position. Each measured row counts for those that were
 *   skipped: a run of a million rows measures some 2,500.
 * - Measures at most 200 fields: those of a row, and one level of the objects in them (`metadata.title`). With that many, it
 *   does not say which fields have no value.
 * - Merging the profiles of two parts gives the profile of the whole; a resumed run continues with the saved one.
 */
import * as Schema from "effect/Schema"
import { FieldMatches, SavedMatches } from "../Step/Extract/FieldMatches.ts"

type Data = Readonly<Record<string, unknown>>

const maxFields = 200
/** Number of first rows that are all measured. After that, each time the rows grow fourfold, the measured share falls to a quarter. */
const rowsInFull = 500

/** Spreads the measured rows by hash, so that rows that repeat at regular intervals do not distort the sample. */
const isMeasured = (position: number, stride: number): boolean =>
  stride === 1 || (Math.imul(position ^ (position >>> 15), 0x9e3779b1) >>> 8) % stride === 0

/** Maximum characters of a string that are searched for encoding errors. */
const maxSearched = 1000
/** Matches U+FFFD, and UTF-8 that was decoded as Latin-1 or Windows-1252. */
const garbledText = /\ufffd|[\u00c2\u00c3][\u0080-\u00bf\u0192\u201a-\u203a]|\u00e2\u20ac/

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Kind of a string, decided by its first character and then by a pattern. */
const kindOf = (text: string): string => {
  const code = text.charCodeAt(0)
  if (isDigit(code) || code === 45 || code === 43) {
    if (text.length <= 40 && /^\d{4}-\d\d(-\d\d([T ][\d:.]+.*)?)?$/.test(text)) return "date"
    return text.length <= 40 && /^[-+]?\d[\d.,' ]*$/.test(text) ? "numeric" : "text"
  }
  if (code === 104 && /^https?:\/\//.test(text)) return "link"
  return code === 60 ? "markup" : "text"
}

/** Strings up to twice this length are hashed as a whole; longer ones by this many first and last characters, and their length. */
const hashedCharacters = 64

/** 32-bit hash of a string. */
const hashOf = (text: string): number => {
  const { length } = text
  let hash = 0x811c9dc5 ^ length
  const first = length <= 2 * hashedCharacters ? length : hashedCharacters
  for (let at = 0; at < first; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  for (let at = Math.max(first, length - hashedCharacters); at < length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}

/** Maximum numbers kept per field to compute quantiles. */
const maxSampled = 128

/** Evenly spread sample: when full, it drops every second number and from then on accepts half as many. */
class Sample {
  values: Array<number> = []
  private stride = 1
  private count = 0

  add(value: number): void {
    if (this.count++ % this.stride !== 0) return
    this.values.push(value)
    if (this.values.length < 2 * maxSampled) return
    this.values = this.values.filter((_, at) => at % 2 === 0)
    this.stride *= 2
  }

  /** Minimum, 10th percentile, median, 90th percentile and maximum; empty without numbers. */
  get quantiles(): ReadonlyArray<number> {
    const sorted = this.values.toSorted((a, b) => a - b)
    const last = sorted.length - 1
    return last < 0 ? [] : [0, 0.1, 0.5, 0.9, 1].map((share) => sorted[Math.round(share * last)] ?? 0)
  }
}

const Counts = Schema.Record({ key: Schema.String, value: Schema.Number })
const Numbers = Schema.Array(Schema.Number)

const SavedField = Schema.Struct({
  measured: Schema.Number,
  filled: Schema.Number,
  garbled: Schema.Number,
  types: Counts,
  /** Hashes of values, each followed by its weight: negative if the value occurred more than once. */
  values: Numbers,
  lengths: Numbers,
  numbers: Numbers
})

/** A profile as checkpoints and the ledger store it. */
export const SavedProfile = Schema.Struct({
  rows: Schema.Number,
  measured: Schema.Number,
  weight: Schema.Number,
  fields: Schema.Record({ key: Schema.String, value: SavedField }),
  /** Names of fields that measured rows have, without a value in any of them. */
  empty: Schema.optional(Schema.Array(Schema.String)),
  matches: Schema.optional(SavedMatches)
})
export type SavedProfile = typeof SavedProfile.Type

const addTo = (counts: Map<string, number>, key: string, count: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + count)
}

class FieldProfile {
  /** Filled values that were measured, and the number of rows that they represent. */
  measured = 0
  filled = 0
  garbled = 0
  types = new Map<string, number>()
  /** Weight of each string, number and boolean by its hash: negative if the value occurred more than once. */
  values = new Map<number, number>()
  lengths = new Sample()
  numbers = new Sample()

  /** Adds a value that is neither null nor empty. */
  add(value: unknown, weight: number): void {
    this.measured++
    this.filled += weight
    if (typeof value === "string") {
      const kind = kindOf(value)
      addTo(this.types, kind, weight)
      this.lengths.add(value.length)
      this.addHash(hashOf(value), weight)
      if (kind === "text" && garbledText.test(value.length > maxSearched ? value.slice(0, maxSearched) : value)) {
        this.garbled += weight
      }
    } else if (typeof value === "number") {
      addTo(this.types, "number", weight)
      this.addHash(hashOf(String(value)), weight)
      if (Number.isFinite(value)) this.numbers.add(value)
    } else if (Array.isArray(value)) {
      addTo(this.types, "array", weight)
      this.lengths.add(value.length)
    } else {
      addTo(this.types, typeof value, weight)
      if (typeof value === "boolean") this.addHash(Number(value), weight)
    }
  }

  private addHash(hash: number, weight: number): void {
    const known = this.values.get(hash)
    this.values.set(hash, known === undefined ? weight : -(Math.abs(known) + Math.abs(weight)))
  }

  merge(other: FieldProfile): void {
    this.measured += other.measured
    this.filled += other.filled
    this.garbled += other.garbled
    for (const [type, count] of other.types) addTo(this.types, type, count)
    for (const [hash, weight] of other.values) this.addHash(hash, weight)
    for (const length of other.lengths.values) this.lengths.add(length)
    for (const number of other.numbers.values) this.numbers.add(number)
  }

  encode(): typeof SavedField.Type {
    return {
      measured: this.measured,
      filled: this.filled,
      garbled: this.garbled,
      types: Object.fromEntries(this.types),
      values: [...this.values].flat(),
      lengths: this.lengths.values,
      numbers: this.numbers.values
    }
  }

  static decode(saved: typeof SavedField.Type): FieldProfile {
    const field = new FieldProfile()
    field.measured = saved.measured
    field.filled = saved.filled
    field.garbled = saved.garbled
    field.types = new Map(Object.entries(saved.types))
    for (let at = 0; at + 1 < saved.values.length; at += 2) {
      field.values.set(saved.values[at] ?? 0, saved.values[at + 1] ?? 0)
    }
    for (const length of saved.lengths) field.lengths.add(length)
    for (const number of saved.numbers) field.numbers.add(number)
    return field
  }

  metrics(weight: number): FieldMetrics {
    let all = 0
    let repeated = 0
    for (const each of this.values.values()) {
      all += Math.abs(each)
      if (each < 0) repeated -= each
    }
    return {
      measured: this.measured,
      fill: weight === 0 ? 0 : this.filled / weight,
      types: Object.fromEntries(Array.from(this.types, ([type, count]) => [type, count / this.filled])),
      garbled: this.filled === 0 ? 0 : this.garbled / this.filled,
      distinct: this.values.size,
      repeated: all === 0 ? 0 : repeated / all,
      lengths: this.lengths.quantiles,
      numbers: this.numbers.quantiles
    }
  }
}

const isFilled = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0)

export class Profile {
  rows = 0
  /** Rows whose fields were measured, and the number of rows that they represent. */
  private measured = 0
  private weight = 0
  /** One row in `stride` is measured. */
  private stride = 1
  /** Row at which `stride` grows fourfold. */
  private limit = rowsInFull
  private readonly fields = new Map<string, FieldProfile>()
  /** Fields that had no value when they were seen; some of them have got one since. */
  private readonly withoutValue = new Set<string>()
  /** Matches of the fields of an `extract`. */
  matches: FieldMatches | undefined
  /** Fields with a rule of the definition: measured however many there are. */
  ruled: ReadonlySet<string> = new Set()

  /** Makes the profile of an `extract`. */
  static ofMatches(matches: FieldMatches): Profile {
    const profile = new Profile()
    profile.matches = matches
    return profile
  }

  add(data: Data): void {
    const position = this.rows++
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
      if (!isFilled(value)) {
        this.addEmpty(name)
        continue
      }
      this.addField(name, value, stride)
      if (typeof value !== "object" || Array.isArray(value)) continue
      const nested = value as Data
      for (const inner in nested) {
        if (isFilled(nested[inner])) this.addField(`${name}.${inner}`, nested[inner], stride)
        else this.addEmpty(`${name}.${inner}`)
      }
    }
  }

  private addEmpty(name: string): void {
    if (this.withoutValue.size < maxFields) this.withoutValue.add(name)
  }

  /** The fields without any value, if there are some. None are known once `fields` is full: they may have values that were not measured. */
  private empty(): { readonly empty?: ReadonlyArray<string> } {
    if (this.fields.size >= maxFields) return {}
    const empty = [...this.withoutValue].filter((name) => !this.fields.has(name))
    return empty.length === 0 ? {} : { empty }
  }

  private addField(name: string, value: unknown, weight: number): void {
    let field = this.fields.get(name)
    if (field === undefined) {
      if (this.fields.size >= maxFields && !this.ruled.has(name)) return
      field = new FieldProfile()
      this.fields.set(name, field)
    }
    field.add(value, weight)
  }

  merge(other: Profile): void {
    this.rows += other.rows
    this.measured += other.measured
    this.weight += other.weight
    let number = 0
    for (const [name, theirs] of other.fields) {
      const ours = this.fields.get(name)
      // Behind the maximum, a profile only has fields with a rule.
      const isRuled = ++number > maxFields
      if (ours !== undefined) ours.merge(theirs)
      else if (this.fields.size < maxFields || isRuled) this.fields.set(name, theirs)
    }
    for (const name of other.withoutValue) this.addEmpty(name)
    if (other.matches === undefined) return
    this.matches ??= new FieldMatches()
    this.matches.merge(other.matches)
  }

  encode(): SavedProfile {
    return {
      rows: this.rows,
      measured: this.measured,
      weight: this.weight,
      fields: Object.fromEntries(Array.from(this.fields, ([name, field]) => [name, field.encode()])),
      ...this.empty(),
      ...(this.matches === undefined ? {} : { matches: this.matches.encode() })
    }
  }

  static decode(saved: SavedProfile): Profile {
    const profile = new Profile()
    profile.rows = saved.rows
    profile.measured = saved.measured
    profile.weight = saved.weight
    for (const [name, field] of Object.entries(saved.fields)) profile.fields.set(name, FieldProfile.decode(field))
    for (const name of saved.empty ?? []) profile.addEmpty(name)
    if (saved.matches !== undefined) profile.matches = FieldMatches.decode(saved.matches)
    return profile
  }

  /** Figures of this profile, for comparison with those of other runs. */
  metrics(): SinkMetrics {
    const fields = Array.from(this.fields, ([name, field]) => [name, field.metrics(this.weight)] as const)
    const matches = this.matches === undefined ? {} : { matches: this.matches.encode() }
    return { rows: this.rows, measured: this.measured, fields: Object.fromEntries(fields), ...this.empty(), ...matches }
  }
}

export const FieldMetrics = Schema.Struct({
  /** Filled values that were measured. */
  measured: Schema.Number,
  /** Share of the rows in which the field is neither missing nor null nor empty. */
  fill: Schema.Number,
  /** Share of each type among the filled values: number, boolean, object, array; for strings text, numeric, date, link or markup. */
  types: Counts,
  /** Share of the values with broken encoding. */
  garbled: Schema.Number,
  /** Distinct strings, numbers and booleans among the measured values. */
  distinct: Schema.Number,
  /** Share of the distinct values that occurred more than once. */
  repeated: Schema.Number,
  /** Length of strings (characters) and arrays (elements): minimum, 10 %, median, 90 % and maximum; empty if there are none. */
  lengths: Numbers,
  /** Numbers: minimum, 10 %, median, 90 % and maximum; empty if there are none. */
  numbers: Numbers
})
export interface FieldMetrics extends Schema.Schema.Type<typeof FieldMetrics> {}

/** Figures of one sink or `extract` of a run. Metrics saved by version 0.1 and later have these fields, and others that are now ignored. */
export const SinkMetrics = Schema.Struct({
  rows: Schema.Number,
  /** Rows whose fields were measured. */
  measured: Schema.Number,
  fields: Schema.Record({ key: Schema.String, value: FieldMetrics }),
  /** Names of fields that measured rows have, without a value in any of them. */
  empty: Schema.optional(Schema.Array(Schema.String)),
  /** Matches of the fields of an `extract`. */
  matches: Schema.optional(SavedMatches)
})
export interface SinkMetrics extends Schema.Schema.Type<typeof SinkMetrics> {}

/** Figures of a run as a whole. */
export const RunMetrics = Schema.Struct({
  /** Rows emitted by each step. */
  steps: Counts,
  /** Share of the source rows that were rejected. */
  rejected: Schema.Number,
  /** Pages that were requested. */
  pages: Schema.Number,
  /**
   * Share of the pages by status class: 2xx, 3xx, 4xx, 5xx; `error` without a response, `blocked` if the site showed something else,
   * `unread` for files whose text could not be read.
   */
  statuses: Counts
})
export interface RunMetrics extends Schema.Schema.Type<typeof RunMetrics> {}
