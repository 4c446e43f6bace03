/** Derives crawl parameters from an English prompt, by rules alone. Sets only what the prompt asks for. */
import type { CrawlParams } from "../../Api/CrawlParams.ts"
import * as Amounts from "./Amounts.ts"
import * as Clauses from "./Clauses.ts"
import * as Patterns from "./Patterns.ts"
import { digits, take, tidy } from "./PromptText.ts"
import { mask, type Qualifier } from "./Qualifiers.ts"
import * as Sections from "./Sections.ts"
import * as Switches from "./Switches.ts"

export type Params = Omit<CrawlParams, "url">

export interface Preview {
  readonly params: Params
  /** Parts of the prompt that no rule could use, verbatim. */
  readonly notUnderstood: ReadonlyArray<string>
}

interface Draft {
  readonly wanted: boolean
  /** True if "only" introduces the section. */
  readonly only: boolean
  section: Sections.Section
}

const merge = (one: Sections.Section, more: Sections.Qualifiers): Sections.Section => ({
  name: one.name,
  years: [...one.years, ...more.years],
  months: [...one.months, ...more.months],
  versions: [...one.versions, ...more.versions],
  languages: [...one.languages, ...more.languages],
  files: [...one.files, ...more.files]
})

const unique = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)]

/** Reads the sections of all clauses. A qualifier after a list narrows every section of the list. */
const readSections = (
  clauses: ReadonlyArray<{ readonly clause: Clauses.Clause; readonly text: string }>,
  qualifiers: ReadonlyArray<Qualifier>,
  host: string
) => {
  const drafts: Array<Draft> = []
  const unread: Array<string> = []
  let list: Array<Draft> = []
  let isQualified = false
  let listEnded = false
  for (const { clause, text } of clauses) {
    if (clause.inherited && listEnded) continue
    const fresh = list.length === 0 || list[0]?.wanted !== clause.wanted
    const {
      sections,
      trailing,
      unread: unreadHere,
      ends
    } = Sections.read(clause, text, qualifiers, host, !fresh && list.length > 0)
    unread.push(...unreadHere)
    listEnded = ends
    if (sections.length > 0) {
      if (fresh || isQualified) list = []
      isQualified = false
      const added = sections.map((section): Draft => ({ wanted: clause.wanted, only: clause.cue === "only", section }))
      drafts.push(...added)
      list.push(...added)
    }
    if (Sections.isEmpty(trailing)) continue
    if (list.length === 0 || (fresh && sections.length === 0)) {
      list = [{ wanted: clause.wanted, only: clause.cue === "only", section: { name: undefined, ...Sections.none } }]
      drafts.push(...list)
    } else if (sections.length === 0 && (trailing.files.length > 0 || !clause.wanted)) {
      // "the blog and PDFs": a file type is an item of its own, and does not narrow the blog.
      const alone: Draft = {
        wanted: clause.wanted,
        only: clause.cue === "only",
        section: { name: undefined, ...trailing }
      }
      drafts.push(alone)
      continue
    }
    for (const draft of list) draft.section = merge(draft.section, trailing)
    isQualified = true
  }
  return { drafts, unread }
}

/** Reads a prompt for a crawl that starts at `url`. */
export const rules = (url: string, prompt: string): Preview => {
  const start = new URL(url)
  const byName = readFields(prompt)
  const bare = start.hostname.replace(/^www\./, "").replaceAll(".", "\\.")
  // "example.com/blog" on example.com is /blog.
  const ownHost = new RegExp(`(?<![\\w@/.-])(?:https?://)?(?:www\\.)?${bare}(?=/[\\w~])`, "gi")
  const named = Switches.agent(tidy(byName.text).replace(ownHost, ""))
  const fixed = Switches.fixed(named.text)
  const { text, amounts, unread: unset } = Amounts.read(digits(fixed.text))
  const masked = mask(text)
  const clauses = Clauses.split(masked.text).map((clause) => ({ clause, ...Switches.read(clause, start) }))
  const switches: Switches.Switches = Object.assign(
    {},
    named.switches,
    fixed.switches,
    ...clauses.map((each) => each.switches)
  )
  const { drafts, unread } = readSections(clauses, masked.qualifiers, start.hostname)
  // "The whole site, including PDFs": a part of the whole site does not narrow the site.
  const isEffective = (draft: Draft) => !draft.wanted || draft.only || switches.crawlEntireDomain !== true
  const paths = (wanted: boolean, write: typeof Patterns.include) =>
    unique(
      drafts
        .filter((draft) => draft.wanted === wanted && isEffective(draft))
        .flatMap(({ section }) => write(section, start))
    )
  const below = drafts.some(({ wanted, section: { name } }) => wanted && name !== undefined && "start" in name)
  const includePaths = paths(true, Patterns.include)
  const excludePaths = paths(false, Patterns.exclude)
  return {
    params: {
      ...(includePaths.length === 0 ? {} : { includePaths }),
      ...(excludePaths.length === 0 ? {} : { excludePaths }),
      ...(below ? { crawlEntireDomain: false } : {}),
      ...amounts,
      ...switches,
      ...byName.values
    },
    notUnderstood: unique([...unset, ...unread])
  }
}

type Values = Amounts.Amounts & Switches.Switches

const flags = [
  "crawlEntireDomain",
  "allowExternalLinks",
  "allowSubdomains",
  "ignoreQueryParameters",
  "ignoreRobotsTxt",
  "deduplicateSimilarURLs"
] as const

const counts = [
  ["maxDiscoveryDepth", "maxDiscoveryDepth"],
  ["maxDepth", "maxDepth"],
  ["maxPages", "limit"],
  ["pageLimit", "limit"]
] as const

/** Matches a parameter name in any spelling: `max_depth`, `max-depth`, `"maxDepth"`. */
const spelled = (name: string) => `["'\`]?\\b${name.replace(/(?<=[a-z])(?=[A-Z])/g, "[_-]?")}\\b["'\`]?`

const sign = "(?: ?[:=] ?| (?:is |to |of )?)"

const readers: ReadonlyArray<readonly [RegExp, (value: string) => Values]> = [
  ...flags.map((name): readonly [RegExp, (value: string) => Values] => [
    new RegExp(`${spelled(name)}${sign}["']?(true|false|yes|no|on|off)\\b["']?`, "gi"),
    (value) => ({ [name]: /^(?:true|yes|on)$/i.test(value) })
  ]),
  ...counts.map(([said, name]): readonly [RegExp, (value: string) => Values] => [
    new RegExp(`${spelled(said)}${sign}(\\d{1,6})\\b`, "gi"),
    (value) => ({ [name]: Number(value) })
  ]),
  [
    new RegExp(`${spelled("sitemap")} ?[:=] ?["']?(skip|include|only)\\b["']?`, "gi"),
    (value) => ({ sitemap: value.toLowerCase() })
  ],
  [new RegExp(`${spelled("ignoreSitemap")}${sign}(?:true|yes|on)\\b`, "gi"), () => ({ sitemap: "skip" })],
  [
    new RegExp(`${spelled("delay")} ?[:=] ?(\\d{1,2}(?:\\.\\d+)?)(?![\\w.]| ?m?s)`, "gi"),
    (value) => ({ delay: Math.ceil(Number(value)) })
  ]
]

/** Reads parameters that the prompt sets by name, such as `maxDepth: 2`. */
export const readFields = (prompt: string): { readonly text: string; readonly values: Values } =>
  readers.reduce(
    ({ text, values }, [pattern, toValues]) => {
      const reading = take(text, pattern, (value = "") => toValues(value))
      return { text: reading.text, values: Object.assign({}, values, ...reading.found) as Values }
    },
    {
      text: prompt.replace(/\b(in|ex)clude[_-]?paths?\b ?[:=]? ?/gi, "$1clude: "),
      values: {} as Values
    }
  )
