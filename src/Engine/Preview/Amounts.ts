/** Reads the numbers of a prompt: page limit, depths and delay. */
import { longestDelay } from "../../Api/CrawlParams.ts"
import { type Reading, take } from "./PromptText.ts"

export interface Amounts {
  readonly limit?: number
  readonly maxDepth?: number
  readonly maxDiscoveryDepth?: number
  readonly delay?: number
}

const figure = "(?:(?<![/\\w.])(\\d+(?:\\.\\d+)?))"
const unit = "(ms|msecs?|milli-?seconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\\b"
const request = "(?:requests?|reqs?|pages?|hits?|calls?|urls?|fetch(?:es)?|loads?)\\b"
const bound =
  "(?:(?:only|just|go|stay|crawl|and|but|to|at|a|of|the|it|total|maximum|max\\.?|at most|up to|no(?:t)? more than|no(?:t)? deeper than|within|inside|under|below|(?:fewer|less) than|(?:do not|don't) (?:crawl|go|get|fetch|visit|follow|exceed)?(?: links?| pages?)?(?: any)? ?(?:deeper|further|farther|beyond|over|past|above|more)?(?: than)?|not (?:over|above)|about|around|roughly|approximately|stop(?:ping)?(?: after| at| once you have)?|limit(?:ed|ing)?(?: the| this)?(?: crawl(?:ing)?| results?| number of pages)?|cap(?:ped)?(?: the crawl| this)?|keep(?: it)?|first|latest|last|newest|top|≤|<=?|[:=]) ?){0,6}"

const lengths: ReadonlyArray<readonly [RegExp, number]> = [
  [/^m(?:s|illi)/i, 0.001],
  [/^s/i, 1],
  [/^m/i, 60],
  [/^h/i, 3600]
]

/** Delay in whole seconds, rounded up; undefined if it is longer than the API allows. */
const seconds = (count: string | undefined, name: string | undefined, requests = 1): number | undefined => {
  const length = lengths.find(([pattern]) => pattern.test(name ?? ""))?.[1] ?? 1
  const delay = ((count === undefined || count === "" ? 1 : Number(count)) * length) / requests
  // A longer delay than the API allows is left unread, and so reported in the warning. The API answers with whole seconds: rounded up,
  // because the prompt asks for no more requests than that.
  return delay <= longestDelay ? Math.ceil(Math.round(delay * 1000) / 1000) : undefined
}

const whole = (count: string | undefined): number | undefined =>
  Number.isSafeInteger(Number(count)) ? Number(count) : undefined

const expression = (source: string) => new RegExp(source, "gi")

const rates = expression(
  `${bound}\\b${figure} ${request}(?: at (?:most|a time))? ?(?:every|per|each|in|an?|/)? ?(?:\\d+ )??${figure}? ?${unit}`
)
const shortRates = expression(`${bound}\\b${figure} ?(?:rps|req/s|r/s|qps)\\b`)
const everies = expression(`\\bevery ${figure}? ?${unit}`)
const pauses = expression(
  `(?:\\b(?:with|use|add|set|put|leave|keep|have|take|please|apply)\\b ?)?(?:\\b(?:an?|the)\\b ?)?\\b(?:crawl |request )?(?:delay|pause|wait|sleep|gap|interval|throttle|break|rest|timeout)(?:ing|s)?\\b ?(?:of|for|about|around|at least|is|to|=|:|set to|it)? ?(?:at least |about )?${figure} ?${unit}(?: (?:in )?(?:between|before|after)(?: (?:each|every|all|the|two|your|any|consecutive|next|\\d+))*(?: ${request})?)?`
)
const gaps = expression(
  `(?:\\bat least )?${figure}[- ]?${unit}(?: (?:of )?(?:crawl )?(?:delay|pause|wait|gap|break|sleep|timeout|interval|apart|rest)s?\\b)?(?: (?:in )?(?:between|before|after)(?: (?:each|every|all|the|two|your|any|consecutive|next|\\d+))*(?: ${request})?)?`
)

const clicks = expression(
  `${bound}\\b${figure}[- ]?(?:clicks?|hops?|jumps?|link levels?|levels? of links?|pages?(?= deep)|links? (?=deep|away|from|down|of (?:the|this|here)\\b)|links?-deep)(?: (?:deep|away|down|at most|max|from(?: the)? (?:start|home|root|front|first|landing|main)? ?(?:page|url|here)?))*`
)
const linkDepths = expression(
  `${bound}\\b(?:link|discovery|click)[- ]depth\\b ?(?:limit)? ?(?:of|to|at|is|=|:)? ?(?:most )?${figure}`
)
const followed = expression(`\\bfollow(?:ing)? links? ${bound}${figure} levels?(?: deep| down)?`)
const neighbours = expression(
  "(?:\\b(?:only|just)\\b )?(?:\\bthe )?\\b(?:home ?page|start(?:ing)? (?:page|url)|front page|landing page|main page|index page|this page)\\b(?: and|,| plus| \\+)?(?: the| all)?(?: \\w+){0,2}? (?:it |directly )?link(?:s|ed)(?: directly)?(?: (?:to|from|on))?(?: (?:it|there|directly|here))*(?:,? (?:but )?nothing (?:deeper|more|further|beyond(?: that)?))?"
)
const further =
  /\blinks? (?:found |listed )?(?:on|from) (?:this|the|that) (?:\w+ )?(?:page|url)\b[^.;]{0,30}\b(?:further|deeper|beyond)(?: than that)?\b/gi
const unfollowed = expression(
  "\\b(?:do not|don't|never|without|no) (?:follow|following)(?: any)?(?: of the)? links?\\b(?! to| that| out| more)"
)
const depths = expression(
  `${bound}\\b(?:path |url |folder |crawl |directory )?depth\\b ?(?:limit)? ?(?:of|to|at|is|=|:)? ?(?:most |max(?:imum)? |up to )?${figure}`
)
const levels = expression(
  `${bound}\\b${figure}[- ]?(?:path segments?|segments?|path levels?|levels?|layers?|sub-?folders?|folders?|(?:sub-?)?director(?:y|ies)|(?=deep\\b))(?: (?:deep|down|of depth|in depth|at most|max(?:imum)?|below))*`
)
const minima =
  /(?<!\b(?:no|not|never|don't|n't|exceed) )(?:\bat least|\bmore than|\bminimum(?: of)?|>=?|≥) ?\d+ (?:pages?|urls?|documents?|articles?|posts?|items?|results?)\b/gi
const shares =
  /\b(?:at most |max(?:imum)? |up to )?\d+ (?:pages?|urls?|documents?|articles?|posts?|items?|results?)(?: (?:max(?:imum)?|at most|tops))? (?:each|apiece|per (?:section|category|folder|page|host|domain|subdomain|topic|author|year))\b/gi
const parallel =
  /\b(?:at most |max(?:imum)? (?:of )?|up to |only |no more than )?\d+ (?:\w+ )?(?:(?:requests?|pages?|urls?|fetches|connections?|downloads?|workers?|threads?|tabs?) )?(?:at (?:a time|once|the same time)|in parallel|concurrently|simultaneously)\b|\b(?:concurrency|parallelism) (?:of )?\d+\b/gi
const totals = expression(
  `${bound}\\b${figure}(?=(?: [\\w'-]+){0,3} (?:pages?|urls?|links?|documents?|docs|results?|items?|articles?|posts?|entries|records|stories|products?|threads?|files?|recipes|listings?)\\b(?! (?:at (?:a time|once)|in parallel|concurrently|simultaneously)))(?: (?:pages?|urls?|links?|documents?|results?|items?|entries|records))?(?: (?:max(?:imum)?|tops|at most|limit|in total|total|or (?:less|fewer|so)|only|is (?:enough|plenty|fine)|will do))*`
)
const bounds = expression(
  `(?=\\b(?:max|limit|cap|stop|at most|up to|no|first|newest|latest|last|top|under|fewer|less|do|don't|not|total)|[≤<])${bound}${figure}\\b(?! ?(?:%|\\.\\d|years?\\b|months?\\b|weeks?\\b|days?\\b|versions?\\b))(?: (?:max(?:imum)?|tops|at most|in total|total|of (?:them|those|these)))*`
)
const named =
  /\b(?:(?:max(?:imum)?|limit)(?: number of)? pages?|page (?:limit|count|cap|max(?:imum)?)|pages?(?= ?[:=]))(?: (?:is|of|to|at|should be))? ?[:=]? ?(?:max |at most |up to )?(\d+)/gi
const closed = expression(`\\b${figure} (?:max(?:imum)?|tops|at most|in total|total|or (?:less|fewer))\\b`)

/**
 * Like {@link take}, for a pattern that needs a digit. Without a digit in the text, compiling the pattern would cost more than all the
 * rest.
 */
const takeFigure: typeof take = (text, pattern, read) =>
  /\d/.test(text) ? take(text, pattern, read) : { text, found: [] }

/** Reads delays first, then depths. The remaining numbers are page limits. */
export const read = (
  prompt: string
): { readonly text: string; readonly amounts: Amounts; readonly unread: ReadonlyArray<string> } => {
  let text = prompt
  const amounts: { -readonly [K in keyof Amounts]: number } = {}
  const note = (field: keyof Amounts, reading: Reading<number>) => {
    text = reading.text
    const first = reading.found[0]
    if (first !== undefined) amounts[field] ??= first
  }
  note(
    "delay",
    takeFigure(text, rates, (requests, count, name) => seconds(count, name, Number(requests)))
  )
  note(
    "delay",
    takeFigure(text, shortRates, (requests) => seconds("1", "s", Number(requests)))
  )
  note(
    "delay",
    takeFigure(text, pauses, (count, name) => seconds(count, name))
  )
  note(
    "delay",
    take(text, everies, (count, name) => seconds(count, name))
  )
  note(
    "delay",
    takeFigure(text, gaps, (count, name) => seconds(count, name))
  )
  note("maxDiscoveryDepth", takeFigure(text, clicks, whole))
  note("maxDiscoveryDepth", takeFigure(text, linkDepths, whole))
  note("maxDiscoveryDepth", takeFigure(text, followed, whole))
  note(
    "maxDiscoveryDepth",
    take(text, neighbours, () => 1)
  )
  note(
    "maxDiscoveryDepth",
    take(text, further, () => 1)
  )
  note(
    "maxDiscoveryDepth",
    take(text, unfollowed, () => 0)
  )
  note("maxDepth", takeFigure(text, depths, whole))
  note("maxDepth", takeFigure(text, levels, whole))
  // These are not supported: a crawl has no minimum number of pages and no limit per section, and the preview does not return a
  // concurrency.
  const unread = [minima, shares, parallel].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([part]) => part.trim())
  )
  for (const pattern of [minima, shares, parallel]) text = text.replace(pattern, " ")
  // "2024 posts" is a year, "2000 posts" a number.
  const positive = (count: string | undefined) =>
    Number(count) > 0 && !/^(?:199\d|20[0-3][1-9]|20[1-3]0)$/.test(count ?? "") ? whole(count) : undefined
  note("limit", takeFigure(text, named, positive))
  note("limit", takeFigure(text, totals, positive))
  note("limit", takeFigure(text, closed, positive))
  note("limit", takeFigure(text, bounds, positive))
  return { text, amounts, unread }
}
