/**
 * Stored conversions: a page that has not changed is neither converted nor indexed again.
 *
 * - A conversion is in the page cache beside its page, with its content as the JSON of API responses. Its key consists of the page, the
 *   options and the version of this package. It is valid for one response: the body's hash and the headers used by the conversion must
 *   match those of the page.
 * - Not stored: formats that depend on a language model or on an earlier version of the page, pages rendered in a browser, and pages that
 *   may be block pages.
 * - A missing or unreadable conversion only costs time.
 */
import { hash } from "node:crypto"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { version } from "../../Version.ts"
import { type PackedText, pack, plain, unpackNow } from "../PageCache/Packing.ts"
import type { PageCache, Peeked, StoredBefore } from "../PageCache/PageCache.ts"
import type { Converted, Fetched } from "../PageCache/PageSource.ts"
import type { Options } from "../ScrapeOptions.ts"
import { sorted } from "../Usage/Idempotency.ts"
import { type Plan, readsMarkdown } from "./Plan.ts"
import type { Page } from "./ScrapedPage.ts"
import * as StoredConversion from "./StoredConversion.ts"

/** Minimum milliseconds between renewals of a conversion. Without a renewal it would expire like its page. */
const renewAfter = 24 * 60 * 60_000

/** Format version of stored conversions. Increase it when the format changes. */
const format = 3

/** Options that do not affect the conversion. */
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

/** Part of the key that depends on the options, cached because all pages of a job share one options object. */
const variants = new WeakMap<Options, string>()

const variantOf = (options: Options): string => {
  const known = variants.get(options)
  if (known !== undefined) return known
  const related = Object.fromEntries(Object.entries(options).filter(([name]) => !unrelated.has(name)))
  const variant = hash("sha256", JSON.stringify(sorted([version, format, related])), "base64url")
  variants.set(options, variant)
  return variant
}

export const keyOf = (pageKey: string, { options }: Plan): string =>
  hash("sha256", `${pageKey}\n${variantOf(options)}`, "base64url")

/** True if the plan makes the page depend on its response alone, so that its conversion can be stored. */
export const isRepeatable = (plan: Plan): boolean =>
  plan.rendering === undefined &&
  plan.extraction === undefined &&
  plan.tracking === undefined &&
  !plan.formats.has("branding") &&
  !readsMarkdown(plan)

/**
 * Header in which a stored conversion keeps the page's language, because an undeclared language is detected after the conversion was
 * written.
 */
const languageHeader = "content-language"

/** Headers that affect the conversion. */
const usedHeaders = ["content-type", "link", "x-robots-tag"]

const usedOf = ({ headers }: Pick<Fetched, "headers">): Record<string, string> =>
  Object.fromEntries(
    usedHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]))
  )

/** Identifies a conversion by its page, its plan, and the response that it was made from. */
interface Wanted {
  readonly pageKey: string
  readonly plan: Plan
  readonly page: Pick<Fetched, "headers" | "url">
  readonly bodyHash: string
}

const isFor = ({ bodyHash, page }: Wanted, stored: Peeked): boolean =>
  // The base of links is the URL after redirects.
  stored.hash === bodyHash &&
  stored.url === page.url &&
  usedHeaders.every((name) => stored.headers[name] === page.headers[name])

const mayBeStored = ({ bodyHash, plan }: Wanted): boolean => bodyHash !== "" && isRepeatable(plan)

export const make = (cache: Context.Tag.Service<typeof PageCache>) => {
  const readStored = Effect.fnUntraced(function* (
    wanted: Wanted,
    stored: Peeked | undefined
  ): Effect.fn.Return<Converted | undefined> {
    if (stored === undefined || !isFor(wanted, stored)) return undefined
    const body = yield* stored.body
    if (body === undefined) return undefined
    if ((yield* Clock.currentTimeMillis) - stored.at > renewAfter) yield* stored.confirm({})
    const language = stored.headers[languageHeader]
    return yield* Effect.orElseSucceed(
      Effect.try(() => {
        const found = StoredConversion.read(body)
        return language === undefined ? found : { ...found, metadata: { language, ...found.metadata } }
      }),
      () => undefined
    )
  })

  /** Finds the stored conversion; undefined if there is none. `before`: entries that were already looked up for the page. */
  const find = (wanted: Wanted, before?: StoredBefore): Effect.Effect<Converted | undefined> => {
    if (!mayBeStored(wanted)) return Effect.succeed(undefined)
    return before === undefined
      ? Effect.flatMap(cache.peek(keyOf(wanted.pageKey, wanted.plan)), (stored) => readStored(wanted, stored))
      : readStored(wanted, before.conversion)
  }

  /** Stores the conversion of a page, unless the page is suspicious or may not be stored. */
  const keep = async (
    pageKey: string,
    plan: Plan,
    page: Page,
    response: Pick<Fetched, "headers" | "shown">,
    bodyHash: string
  ): Promise<void> => {
    const { directives, document, isSuspicious, links, statusCode, stored, url } = page
    if (bodyHash === "" || response.shown !== undefined || isSuspicious === true || !isRepeatable(plan)) return
    let packed = stored?.conversion
    if (packed === undefined) {
      if (page.content === undefined && StoredConversion.isTooLong(document)) return
      const made = contentOf(page)
      if (made.size > StoredConversion.maxBytes) return
      // A thread may have compressed it already.
      const content = made.coding === "" ? await pack(made.body) : made
      packed = StoredConversion.write({ content, metadata: document.metadata ?? {}, links, directives })
    }
    if (packed === undefined) return
    const language = document.metadata?.language
    cache.keep(keyOf(pageKey, plan), {
      url,
      statusCode,
      headers: { ...usedOf(response), ...(typeof language === "string" ? { [languageHeader]: language } : {}) },
      hash: bodyHash,
      ...packed
    })
  }

  return { find, keep }
}

export type Conversions = ReturnType<typeof make>

const contentOf = ({ content, document }: Pick<Page, "content" | "document">): PackedText =>
  content ?? plain(StoredConversion.contentOf(document))

/** True if a conversion has the same content as a page, regardless of their metadata. */
export const isSameContent = ({ content }: Converted, page: Pick<Page, "content" | "document">): boolean => {
  const other = contentOf(page)
  return other.size === content.size && Buffer.compare(unpackNow(other), unpackNow(content)) === 0
}
