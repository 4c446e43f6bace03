/**
 * Matches of the fields of one `extract`: in how many rows each field was looked for and found, the element that gave it, and where it was
 * missed. Exact: the step saves it with every checkpoint. Fields `as: exists` have no misses, and are not counted.
 */
import * as Schema from "effect/Schema"
import { type FieldRows, Fingerprint } from "../../Api/PageData.ts"

export const FieldMatch = Schema.Struct({
  /** Rows in which it was looked for; of `rows`, pages. */
  asked: Schema.Number,
  matched: Schema.Number,
  fingerprint: Schema.optional(Fingerprint),
  /** Pages without it, the first ones. */
  missedOn: Schema.optional(Schema.Array(Schema.String)),
  /** The element of such a page that is most like what it matched before, or `none`. */
  nearest: Schema.optional(Schema.String)
})
export interface FieldMatch extends Schema.Schema.Type<typeof FieldMatch> {}

type Writable<A> = { -readonly [Key in keyof A]: A[Key] }

/** Fields that are counted, pages without one that are named and searched, and pages whose elements are described. */
const [maxFields, maxMissed, maxDescribed] = [200, 3, 20]
/** Characters of the address of such a page. */
const maxAddress = 400

/** Name of the pages with rows, where a page has several; a field of that name takes its place. */
export const rowsName = "rows"

export class FieldMatches {
  readonly fields = new Map<string, Writable<FieldMatch>>()
  /** Pages that were searched for what is like a field. */
  private readonly searched = new Map<string, number>()

  /** Pages that were counted by this process. */
  private pages = 0

  private of(name: string): Writable<FieldMatch> | undefined {
    const known = this.fields.get(name)
    if (known !== undefined || this.fields.size >= maxFields) return known
    const made: Writable<FieldMatch> = { asked: 0, matched: 0 }
    this.fields.set(name, made)
    return made
  }

  /**
   * Counts a page, and returns the fields that some row of it lacks. `names`: the fields that are counted; undefined for those that the page
   * has. `countsPages`: the page may have any number of rows.
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

  /** True for the first pages: their elements are to be described. */
  describes(): boolean {
    return this.pages < maxDescribed
  }

  /** True for the first pages without the field: they are searched for what is like it. Counts this one. */
  search(name: string): boolean {
    const count = this.searched.get(name) ?? 0
    this.searched.set(name, count + 1)
    return count < maxMissed && this.fields.has(name)
  }

  /** Records what is most like the field on a page without it. */
  found(name: string, nearest: string): void {
    const field = this.fields.get(name)
    if (field !== undefined && (field.nearest === undefined || field.nearest === "none")) field.nearest = nearest
  }

  /** Keeps the elements of an earlier run for fields that were found and not described: an engine describes some pages only. */
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

/** Matches of an earlier run that was published. */
export interface MatchesBefore {
  readonly runId: string
  readonly matches: SavedMatches
}

/** `60 of 60 rows`; of {@link rowsName} pages. */
export const matchText = ({ asked, matched }: Pick<FieldMatch, "asked" | "matched">, name: string): string =>
  `${matched.toLocaleString("en-US")} of ${asked.toLocaleString("en-US")} ${name === rowsName ? "page" : "row"}${asked === 1 ? "" : "s"}`
