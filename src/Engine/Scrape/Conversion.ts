/**
 * Stored conversions: a page that has not changed is neither converted nor indexed again.
 *
 * - A conversion is in the page cache beside its page, under a key of the page, the options and the version of this package. It holds for
 *   one response: the hash of the body, and the headers that have a part in the conversion, must be those of the page.
 * - Formats that a language model or an earlier version of the page contributes to are made anew each time, and so are pages that a browser
 *   shows and pages that may stand in place of the content.
 * - A conversion that is missing or cannot be read only costs time.
 */
import { hash } from "node:crypto"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { version } from "../../Version.ts"
import { sorted } from "../Idempotency.ts"
import { pack, unpack } from "../PageCache/Packing.ts"
import type { PageCache } from "../PageCache/PageCache.ts"
import type { Converted, Fetched } from "../PageSource.ts"
import type { Options } from "../ScrapeOptions.ts"
import { type Plan, readsMarkdown } from "./Plan.ts"
import type { Page } from "./ScrapedPage.ts"

/** Maximum bytes of a stored conversion, uncompressed. */
export const maxBytes = 2 * 1024 * 1024

/** A conversion expires with its page: it is renewed when it has not been for this long. */
const renewAfter = 24 * 60 * 60_000

/** Options without effect on the conversion. */
const unrelated: ReadonlySet<string> = new Set([
  "headers",
  "integration",
  "lockdown",
  "maxAge",
  "minAge",
  "origin",
  "storeInCache",
  "timeout"
])

/** All pages of a job share one options object. */
const variants = new WeakMap<Options, string>()

const variantOf = (options: Options): string => {
  const known = variants.get(options)
  if (known !== undefined) return known
  const related = Object.fromEntries(Object.entries(options).filter(([name]) => !unrelated.has(name)))
  const variant = hash("sha256", JSON.stringify(sorted([version, related])), "base64url")
  variants.set(options, variant)
  return variant
}

const keyOf = (pageKey: string, { options }: Plan): string =>
  hash("sha256", `${pageKey}\n${variantOf(options)}`, "base64url")

/** True if the page is made of its response alone. */
export const isRepeatable = (plan: Plan): boolean =>
  plan.rendering === undefined &&
  plan.extraction === undefined &&
  plan.tracking === undefined &&
  !plan.formats.has("branding") &&
  !readsMarkdown(plan)

/** Headers that have a part in the conversion. */
const usedHeaders = ["content-type", "link", "x-robots-tag"]

const usedOf = ({ headers }: Pick<Fetched, "headers">): Record<string, string> =>
  Object.fromEntries(
    usedHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]))
  )

export const make = (cache: Context.Tag.Service<typeof PageCache>) => ({
  /** Conversion of the body with this hash; undefined when there is none. */
  find: Effect.fnUntraced(function* (
    pageKey: string,
    plan: Plan,
    page: Pick<Fetched, "headers" | "url">,
    bodyHash: string
  ): Effect.fn.Return<Converted | undefined> {
    if (bodyHash === "" || !isRepeatable(plan)) return undefined
    const stored = yield* cache.peek(keyOf(pageKey, plan))
    // Links are those of the address after redirects.
    if (stored === undefined || stored.hash !== bodyHash || stored.url !== page.url) return undefined
    if (usedHeaders.some((name) => stored.headers[name] !== page.headers[name])) return undefined
    const body = yield* stored.body
    if (body === undefined) return undefined
    if ((yield* Clock.currentTimeMillis) - stored.at > renewAfter) yield* stored.confirm({})
    const bytes = yield* unpack({ body, coding: stored.coding }, maxBytes)
    if (bytes === undefined) return undefined
    return yield* Effect.orElseSucceed(
      Effect.try(() => JSON.parse(Buffer.from(bytes).toString()) as Converted),
      () => undefined
    )
  }),

  /** Stores the conversion of a good page. */
  keep: Effect.fnUntraced(function* (
    pageKey: string,
    plan: Plan,
    { directives, document, isSuspicious, links, statusCode, stored, url }: Page,
    response: Pick<Fetched, "headers" | "shown">,
    bodyHash: string
  ) {
    if (bodyHash === "" || response.shown !== undefined || isSuspicious === true || !isRepeatable(plan)) return
    let packed = stored?.conversion
    if (packed === undefined) {
      const bytes = Buffer.from(JSON.stringify({ document, links, directives } satisfies Converted))
      packed = bytes.byteLength > maxBytes ? undefined : yield* pack(bytes)
    }
    if (packed === undefined) return
    yield* cache.keep(keyOf(pageKey, plan), {
      url,
      statusCode,
      headers: usedOf(response),
      hash: bodyHash,
      ...packed
    })
  })
})

/** True if two conversions show the same content, whatever their metadata say. */
export const isSameContent = (one: Converted, other: Converted): boolean => contentOf(one) === contentOf(other)

const contentOf = ({ document: { metadata: _, ...content } }: Converted): string => JSON.stringify(content)
