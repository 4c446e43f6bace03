/**
 * Loads lists that a page shows bit by bit: clicks a button, or scrolls, until nothing new appears.
 *
 * - The work is done by a script in the page, which is the last action of the scrape, so every service with actions supports it.
 * - New content is an item with a new text or link (`items`); without `items`, more elements or a longer page.
 * - Items that the page removes while it scrolls, as virtual lists do, are put back before the first one at the end. That needs `items`.
 * - `metadata.loaded` says how often new content was loaded, and why loading ended.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Document } from "../Api/Document.ts"
import { characters } from "../Api/Field.ts"
import type { ScrapeOptions } from "../Api/ScrapeOptions.ts"
import { parseQuery } from "../Html/Select.ts"
import type { Context } from "../Step.ts"
import { type Fields, mapping, type Objection } from "./Requirements.ts"

const selector = characters(1000, 1)

/** Maximum timeout of a page, and the part of it that is not for loading, in milliseconds. */
const [maxTimeout, ownTimeout] = [300_000, 30_000]

const maxSeconds = (maxTimeout - ownTimeout) / 1000

const defaults = { times: 100, seconds: 60, wait: 3 }

const limits = {
  items: Schema.optional(selector).annotations({
    description:
      "CSS selector of the list's items: loading ends when no new item comes. Without it, any new content counts."
  }),
  times: Schema.optional(
    Schema.Int.pipe(Schema.positive()).annotations({ description: "a whole number of at least 1" })
  ).annotations({
    description: `Maximum number of times that more is loaded, with a warning when it is reached; ${defaults.times} by default.`
  }),
  seconds: Schema.optional(
    Schema.Number.pipe(Schema.between(1, maxSeconds)).annotations({
      description: `a number of seconds, from 1 to ${maxSeconds}`
    })
  ).annotations({
    description: `Seconds after which loading ends, with a warning; ${defaults.seconds} by default. The default \`timeout\` of the page is raised by this time.`
  }),
  wait: Schema.optional(
    Schema.Number.pipe(Schema.between(0.1, 60)).annotations({ description: "a number of seconds, from 0.1 to 60" })
  ).annotations({ description: `Seconds without new content after which loading ends; ${defaults.wait} by default.` })
}

/** Fields that control loading, for steps that fetch pages. */
export const loadFields = {
  loadMore: Schema.optional(
    Schema.Union(
      selector,
      Schema.Struct({
        css: Schema.propertySignature(selector).annotations({ description: "CSS selector of the button." }),
        ...limits
      })
    ).annotations({ description: "a CSS selector, or { css: button.more, items: article }" })
  ).annotations({
    description:
      "Clicks this button in a browser until it is gone or nothing new comes: a CSS selector, or `{ css, items, times, seconds, wait }`."
  }),
  scroll: Schema.optional(
    Schema.Union(
      Schema.Literal(true),
      Schema.Struct({
        css: Schema.optional(selector).annotations({
          description:
            "CSS selector of the element that scrolls; the page by default, or its largest part that scrolls."
        }),
        ...limits
      })
    ).annotations({ description: "true, or { items: article }" })
  ).annotations({
    description: "Scrolls down in a browser until nothing new comes: `true`, or `{ css, items, times, seconds, wait }`."
  })
}

interface Loading {
  readonly loadMore?: Schema.Schema.Type<(typeof loadFields)["loadMore"]["from"]> | undefined
  readonly scroll?: Schema.Schema.Type<(typeof loadFields)["scroll"]["from"]> | undefined
}

/** Finds invalid selectors, and steps that set both fields at once. */
export const loadObjections = (fields: Fields): ReadonlyArray<Objection> => {
  const { loadMore, scroll } = mapping(fields)
  const both = loadMore !== undefined && scroll !== undefined
  const written = [
    [["loadMore"], loadMore],
    ...(["css", "items"] as const).flatMap((name) => [
      [["loadMore", name], mapping(loadMore)[name]] as const,
      [["scroll", name], mapping(scroll)[name]] as const
    ])
  ] as ReadonlyArray<readonly [path: ReadonlyArray<string>, value: unknown]>
  return [
    ...(both ? [{ path: ["scroll"], message: "loadMore and scroll cannot work on one page: remove one of them" }] : []),
    ...written.flatMap(([path, value]) => {
      const query = typeof value === "string" && !value.includes("${{") ? parseQuery(value) : undefined
      return query !== undefined && Either.isLeft(query) ? [{ path, message: query.left }] : []
    })
  ]
}

/** Reasons why loading ended. */
const endings = ["nothing new", "button gone", "times", "seconds", "leads away"] as const

/** The script, which ends by returning what it did. `options` is JSON. */
const script = (options: string): string => `(async () => {
  const { click, box, items, times, milliseconds, wait } = ${options.replaceAll("</", "<\\/")}
  const begun = Date.now()
  const sleep = (time) => new Promise((done) => setTimeout(done, time))
  const all = () => (items === undefined ? [] : [...document.querySelectorAll(items)])
  const keyOf = (item) => {
    const link = item.matches("a[href]") ? item : item.querySelector("a[href]")
    return item.textContent.trim() === "" && link === null ? "" : item.textContent.trim() + "\\n" + (link === null ? "" : link.href)
  }
  const known = new Map()
  const elements = new Set()
  let most = [0, 0]
  let isVirtual = false
  /** True if something new has come since the last call. */
  const look = () => {
    if (items !== undefined) {
      const before = known.size
      const count = elements.size
      for (const item of all()) {
        const key = keyOf(item)
        if (key === "" || known.size >= 50000) continue
        elements.add(item)
        if (!known.has(key)) known.set(key, item.outerHTML)
      }
      isVirtual ||= known.size > before && elements.size === count && before > 0
      return known.size > before
    }
    const now = [document.getElementsByTagName("*").length, document.documentElement.scrollHeight]
    const isNew = now.some((size, index) => size > most[index])
    most = most.map((size, index) => Math.max(size, now[index]))
    return isNew
  }
  const largest = () => {
    const page = document.scrollingElement ?? document.documentElement
    if (page.scrollHeight > page.clientHeight + 1) return page
    let best = page
    for (const each of document.querySelectorAll("body *")) {
      if (each.scrollHeight > each.clientHeight + 1 && each.clientHeight > 50 && /auto|scroll/.test(getComputedStyle(each).overflowY) && (best === page || each.clientHeight * each.clientWidth > best.clientHeight * best.clientWidth)) best = each
    }
    return best
  }
  const scroller = () => (box === undefined ? null : document.querySelector(box)) ?? largest()
  const isAtEnd = (part) => part.scrollTop + part.clientHeight >= part.scrollHeight - 2
  const button = () => [...document.querySelectorAll(click)].find((each) => each.getClientRects().length > 0 && !each.disabled && each.getAttribute("aria-disabled") !== "true" && getComputedStyle(each).visibility !== "hidden")
  let to
  const stay = (event) => {
    if (event.defaultPrevented) return
    const link = event.type === "submit" ? { href: event.target.action } : event.target.closest?.("a[href]")
    if (link == null || /^javascript:/i.test(link.href)) return
    event.preventDefault()
    if (link.href.split("#")[0] !== location.href.split("#")[0]) to = link.href
  }
  addEventListener("click", stay)
  addEventListener("submit", stay)
  look()
  let loads = 0
  let ended
  let quietSince = Date.now()
  let isWaiting = false
  let deepest = 0
  while (ended === undefined) {
    if (loads >= times) { ended = "times"; break }
    if (Date.now() - begun > milliseconds) { ended = "seconds"; break }
    if (click !== undefined) {
      const found = isWaiting ? undefined : button()
      if (found !== undefined) {
        found.scrollIntoView({ block: "center" })
        found.click()
        isWaiting = true
        quietSince = Date.now()
      }
    } else {
      const part = scroller()
      const [last] = all().slice(-1)
      if (isAtEnd(part)) {
        // Some pages look only at a scroll that comes from above.
        if (Date.now() - quietSince > 500) part.scrollBy({ top: -Math.min(300, part.clientHeight / 2), behavior: "instant" })
        await sleep(20)
        part.scrollTo({ top: part.scrollHeight, behavior: "instant" })
        if (last !== undefined) last.scrollIntoView({ block: "end", behavior: "instant" })
      } else {
        part.scrollTo({ top: items === undefined ? part.scrollHeight : part.scrollTop + part.clientHeight * 0.8, behavior: "instant" })
      }
      if (part.scrollTop > deepest + 1) {
        deepest = part.scrollTop
        quietSince = Date.now()
      }
    }
    await sleep(100)
    if (to !== undefined) { ended = "leads away"; break }
    if (look()) {
      // Counts one load, although its items may come one after the other.
      for (let calm = 0; calm < 2 && Date.now() - begun < milliseconds; ) { await sleep(50); calm = look() ? 0 : calm + 1 }
      loads++
      isWaiting = false
      quietSince = Date.now()
    } else if (Date.now() - quietSince > wait) ended = click !== undefined && button() === undefined ? "button gone" : "nothing new"
  }
  removeEventListener("click", stay)
  removeEventListener("submit", stay)
  let restored = 0
  if (items !== undefined && (isVirtual || [...elements].some((each) => !each.isConnected))) {
    const present = new Set(all().map(keyOf))
    const [first] = all()
    if (first !== undefined) for (const [key, html] of known) if (!present.has(key)) {
      const holder = document.createElement("template")
      holder.innerHTML = html
      first.before(holder.content)
      restored++
    }
  }
  return { sluice: "loaded", loads, ended, ...(items === undefined ? {} : { items: known.size }), ...(restored > 0 ? { restored } : {}), ...(to === undefined ? {} : { to }) }
})()`

/** Options for the service, with the script as the last action. */
export const withLoading = <O extends Loading & Pick<ScrapeOptions, "actions" | "timeout">>({
  loadMore,
  scroll,
  ...options
}: O): Omit<O, "loadMore" | "scroll"> => {
  const asked = loadMore ?? scroll
  if (asked === undefined) return options
  const {
    css,
    items,
    seconds = defaults.seconds,
    times = defaults.times,
    wait = defaults.wait
  } = typeof asked === "string" ? { css: asked } : asked === true ? {} : asked
  const { actions = [], timeout = Math.min(maxTimeout, ownTimeout + seconds * 1000) } = options
  const milliseconds = Math.min(seconds * 1000, timeout * 0.7)
  const given = { [loadMore === undefined ? "box" : "click"]: css, items, times, milliseconds, wait: wait * 1000 }
  const action = { type: "executeJavascript", script: script(JSON.stringify(given)) }
  return { ...options, timeout, actions: [...actions, action] }
}

const Loaded = Schema.Struct({
  sluice: Schema.Literal("loaded"),
  loads: Schema.Number,
  ended: Schema.Literal(...endings),
  items: Schema.optional(Schema.Number),
  restored: Schema.optional(Schema.Number),
  to: Schema.optional(Schema.String)
})

const isLoaded = Schema.is(Loaded)

const messages: Readonly<Record<string, (loaded: typeof Loaded.Type) => string>> = {
  times: ({ loads }) =>
    `more content was loaded ${loads.toLocaleString("en")} times, the maximum, and there may be more: raise "times"`,
  seconds: () => 'the time ran out before the end, and there may be more: raise "seconds", or the timeout of the page',
  "leads away": ({ to }) => `the button leads to another page (${to}): use next`
}

/** Document with `metadata.loaded` in place of the script's result. Warns if the list may go on, or if the button was not found. */
export const readLoaded = (document: Document, context: Context): Effect.Effect<Document> => {
  const returns = document.actions?.javascriptReturns ?? []
  const loaded = returns.at(-1)?.value
  if (!isLoaded(loaded)) return Effect.succeed(document)
  const { sluice: _, ...told } = loaded
  const { actions, metadata, ...rest } = document
  const others = Object.entries({ ...actions, javascriptReturns: returns.slice(0, -1) }).filter(
    ([, results]) => (results?.length ?? 0) > 0
  )
  const address = metadata?.sourceURL ?? metadata?.url ?? "a page"
  const message =
    loaded.ended === "button gone" && loaded.loads === 0
      ? "the page has no button for loadMore, or clicking it loaded nothing: check loadMore"
      : messages[loaded.ended]?.(loaded)
  const row: Document & { readonly metadata: object } = {
    ...rest,
    ...(others.length === 0 ? {} : { actions: Object.fromEntries(others) }),
    metadata: Object.assign({ ...metadata }, { loaded: told })
  }
  if (message === undefined) return Effect.succeed(row)
  return context
    .warnOnce(`loaded ${loaded.ended}`, `${address}: ${message}`)
    .pipe(
      Effect.zipRight(loaded.loads === 0 && loaded.ended === "button gone" ? Effect.void : context.incomplete("limit")),
      Effect.as(row)
    )
}
