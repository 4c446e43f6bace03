/** Search queries as data: words, exact phrases and operators, and the date range and order of the `tbs` parameter. */
import { withoutSoftHyphens } from "../../Values/Text.ts"

/** Words that must (or, negated, must not) all occur in the page, its title or its URL. */
export interface Text {
  readonly _tag: "Text"
  readonly place: "page" | "title" | "url"
  readonly words: ReadonlyArray<string>
  /** True if quoted: exactly these words in this order, without stemming. */
  readonly exact: boolean
  readonly negated: boolean
}

/** Operator `site:`, `filetype:` or `related:` with its value. */
export interface Scope {
  readonly _tag: "Site" | "FileType" | "Related"
  readonly value: string
  readonly negated: boolean
}

/** Condition on an image's size: `imagesize:` (exact) or `larger:`. */
export interface Size {
  readonly _tag: "ImageSize" | "Larger"
  readonly width: number
  readonly height: number
  readonly negated: boolean
}

export type Clause = Text | Scope | Size

const scopes = { site: "Site", filetype: "FileType", related: "Related" } as const
const places = { inurl: "url", allinurl: "url", intitle: "title", allintitle: "title" } as const
const sizes = { imagesize: "ImageSize", larger: "Larger" } as const

const token =
  /(?<sign>-?)(?:(?<operator>site|filetype|related|inurl|allinurl|intitle|allintitle|imagesize|larger):\s*)?(?:"(?<phrase>[^"]*)"|(?<word>[^\s"]+)|$)/giu

const meaningful = /[\p{L}\p{N}]/u

/** Parses any string. Parts that are neither word, phrase nor operator are dropped. */
export const parse = (query: string): ReadonlyArray<Clause> => {
  const clauses: Array<Clause> = []
  let open: { clause: Omit<Text, "words">; words: Array<string> } | undefined
  for (const { groups = {} } of withoutSoftHyphens(query)
    .replace(/[“”„«»]/g, '"')
    .matchAll(token)) {
    const negated = groups.sign === "-"
    const operator = groups.operator?.toLowerCase()
    const exact = groups.phrase !== undefined
    const value = (groups.phrase ?? groups.word ?? "").trim()
    if (!meaningful.test(value)) continue
    if (open !== undefined && operator === undefined && !negated && !exact) {
      open.words.push(value)
      continue
    }
    open = undefined
    const size = /^(\d{1,6})x(\d{1,6})$/i.exec(value)
    if (operator !== undefined && operator in scopes) {
      clauses.push({ _tag: scopes[operator as keyof typeof scopes], value: value.toLowerCase(), negated })
    } else if (operator !== undefined && operator in places) {
      const words = [value]
      const clause = { _tag: "Text", place: places[operator as keyof typeof places], exact, negated } as const
      clauses.push({ ...clause, words })
      if (operator.startsWith("all") && !exact) open = { clause, words }
    } else if (operator !== undefined && size !== null) {
      const [, width, height] = size.map(Number)
      clauses.push({ _tag: sizes[operator as keyof typeof sizes], width: width ?? 0, height: height ?? 0, negated })
    } else {
      clauses.push({ _tag: "Text", place: "page", words: [value], exact, negated })
    }
  }
  return clauses
}

export interface Period {
  /** Inclusive, in milliseconds since 1970. */
  readonly from: number | undefined
  /** Exclusive, in milliseconds since 1970. */
  readonly to: number | undefined
  readonly newestFirst: boolean
}

const day = 86_400_000
const lengths: Readonly<Record<string, number>> = { h: 3_600_000, d: day, w: 7 * day, m: 30 * day, y: 365 * day }

const midnight = (date: string | undefined): number | undefined => {
  const [month, dayOfMonth, year] = (date ?? "").split("/").map(Number)
  return year === undefined ? undefined : Date.UTC(year, (month ?? 1) - 1, dayOfMonth)
}

/** Parses a validated `tbs` parameter. Dates are UTC days. */
export const parsePeriod = (tbs: string | undefined, now: number): Period => {
  const parts = (tbs ?? "").split(",").map((part) => part.trim())
  const value = (name: string) => parts.find((part) => part.startsWith(`${name}:`))?.slice(name.length + 1)
  const recent = value("qdr")
  const since =
    recent === undefined
      ? undefined
      : now - (lengths[recent.charAt(0)] ?? 0) * (recent.length > 1 ? Number(recent.slice(1)) : 1)
  const min = midnight(value("cd_min"))
  const max = midnight(value("cd_max"))
  const starts = [since, min].filter((start) => start !== undefined)
  return {
    from: starts.length === 0 ? undefined : Math.max(...starts),
    to: max === undefined ? undefined : max + day,
    newestFirst: value("sbd") === "1"
  }
}
