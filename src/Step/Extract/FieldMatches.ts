/**
 * Matches of the fields of one `extract`: in how many rows each field was looked for and found, which element gave it, and on which pages
 * it was missing. The counts are exact, because the step saves them with every checkpoint. Fields with `as: exists` cannot be missing and
 * are not counted.
 */
import * as Schema from "effect/Schema"
import { type FieldRows, Fingerprint } from "../../Api/PageData.ts"

export const FieldMatch = Schema.Struct({
  /** Rows in which the field was looked for. For {@link rowsName}: pages in which rows were looked for. */
  asked: Schema.Number,
  matched: Schema.Number,
  fingerprint: Schema.optional(Fingerprint),
  /** First pages without the field. */
  missedOn: Schema.optional(Schema.Array(Schema.String)),
  /** Element on a page without the field that is most similar to the earlier match, or `none`. */
  nearest: Schema.optional(Schema.String)
})
export interface FieldMatch extends Schema.Schema.Type<typeof FieldMatch> {}

type Writable<A> = { -readonly [Key in keyof A]: A[Key] }

/** Maximum fields to count, pages without a field to name and search, and pages whose elements are described. */
const [maxFields, maxMissed, maxDescribed] = [200, 3, 20]
/** Maximum characters of a page's address. */
const maxAddress = 400

/** Name under which pages with rows are counted, if a page has several rows; a field with this name replaces it. */
export const rowsName = "rows"

export class FieldMatches {
  readonly fields = new Map<string, Writable<FieldMatch>>()
  /** Number of pages that were searched for elements similar to a field. */
  private readonly searched = new Map<string, number>()

  /** Pages counted by this process. */
  private pages = 0

  private of(name: string): Writable<FieldMatch> | undefined {
    const known = this.fields.get(name)
    if (known !== undefined || this.fields.size >= maxFields) return known
    const made: Writable<FieldMatch> = { asked: 0, matched: 0 }
    this.fields.set(name, made)
    return made
  }

  /**
   * Counts a page, and returns the fields that are missing in any of its rows. `names`: fields to count; undefined for the fields that the
   * page has. `countsPages`: the page may have any number of rows.
   */
  add(
    { fingerprints, missing, rows }: FieldRows,
    names: ReadonlyArray<string> | undefined,
    countsPages: boolean,
    address: string | undefined
  ): ReadonlyArray<string> {
    this.pages++
    const lacking: Array<string> = []
    const count = (name: string, asked: number, missed: number) => {
      const field = this.of(name)
      if (field === undefined) return
      field.asked += asked
      field.matched += asked - missed
      if (missed === 0) return
      lacking.push(name)
      const { missedOn = [] } = field
      if (address !== undefined && address.length <= maxAddress && missedOn.length < maxMissed)
        field.missedOn = [...missedOn, address]
    }
    if (countsPages && names?.includes(rowsName) !== true) count(rowsName, 1, rows.length === 0 ? 1 : 0)
    const missed = new Map<string, number>()
    for (const each of missing ?? []) missed.set(each.field, (missed.get(each.field) ?? 0) + each.rows.length)
    for (const name of names ?? Object.keys(rows[0] ?? {})) count(name, rows.length, missed.get(name) ?? 0)
    for (const [name, fingerprint] of Object.entries(fingerprints ?? {})) {
      const field = this.fields.get(name)
      if (field !== undefined) field.fingerprint ??= fingerprint
    }
    return lacking
  }

  /** True for the first pages, whose elements should be described. */
  describes(): boolean {
    return this.pages < maxDescribed
  }

  /** True for the first pages without the field, which should be searched for similar elements. Counts this page. */
  search(name: string): boolean {
    const count = this.searched.get(name) ?? 0
    this.searched.set(name, count + 1)
    return count < maxMissed && this.fields.has(name)
  }

  /** Records which element of a page without the field is most similar to the one that the field matched earlier. */
  found(name: string, nearest: string): void {
    const field = this.fields.get(name)
    if (field !== undefined && (field.nearest === undefined || field.nearest === "none")) field.nearest = nearest
  }

  /** Keeps an earlier run's elements for fields that were found but not described, because an engine describes only some pages. */
  keep(before: SavedMatches = {}): void {
    for (const [name, field] of this.fields) {
      const known = Object.hasOwn(before, name) ? before[name] : undefined
      if (field.matched > 0 && known?.fingerprint !== undefined) field.fingerprint ??= known.fingerprint
    }
  }

  merge(other: FieldMatches): void {
    for (const [name, { asked, fingerprint, matched, missedOn = [], nearest }] of other.fields) {
      const field = this.of(name)
      if (field === undefined) continue
      field.asked += asked
      field.matched += matched
      field.fingerprint ??= fingerprint
      field.nearest ??= nearest
      const all = [...(field.missedOn ?? []), ...missedOn].slice(0, maxMissed)
      if (all.length > 0) field.missedOn = all
    }
  }

  encode(): SavedMatches {
    return Object.fromEntries(Array.from(this.fields, ([name, field]) => [name, { ...field }]))
  }

  static decode(saved: SavedMatches): FieldMatches {
    const matches = new FieldMatches()
    for (const [name, field] of Object.entries(saved)) matches.fields.set(name, { ...field })
    return matches
  }
}

export const SavedMatches = Schema.Record({ key: Schema.String, value: FieldMatch })
export type SavedMatches = typeof SavedMatches.Type

/** Matches of an earlier, published run. */
export interface MatchesBefore {
  readonly runId: string
  readonly matches: SavedMatches
  /** Fields that get a verdict, if the run ends with these matches. */
  readonly judged: (now: SavedMatches) => ReadonlySet<string>
}

/** Text such as `60 of 60 rows`; for {@link rowsName}, pages. */
export const matchText = ({ asked, matched }: Pick<FieldMatch, "asked" | "matched">, name: string): string =>
  `${matched.toLocaleString("en-US")} of ${asked.toLocaleString("en-US")} ${name === rowsName ? "page" : "row"}${asked === 1 ? "" : "s"}`
