/** Parameters that a prompt calls by their names: `maxDepth: 2`, `sitemap=skip`. */
import type { Amounts } from "./Amounts.ts"
import { take } from "./Text.ts"
import type { Switches } from "./Topics.ts"

type Values = Amounts & Switches

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

/** `max_depth`, `max-depth` and `"maxDepth"` are the same name. */
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
    (value) => ({ delay: Number(value) })
  ]
]

/** What the prompt sets by name; the rest is read in words. */
export const read = (prompt: string): { readonly text: string; readonly values: Values } =>
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
