/** Functions for expressions in addition to JSONata's. */
import * as Either from "effect/Either"
import { deepest, isDeepJson } from "../../Api/Depth.ts"
import { readData, readFirst } from "../../Html/Fields.ts"
import { parseQuery } from "../../Html/Select.ts"
import { type Order, readDate } from "../../Values/Date.ts"
import { type Price, readPrice } from "../../Values/Price.ts"
import { remember } from "../../Values/Remember.ts"
import { offsetAt } from "../../Values/TimeZone.ts"
import { sha256 } from "../Hash.ts"
import { parse } from "../Integers.ts"
import { canonicalUrl, host } from "../Url.ts"
import { EvaluationFault } from "./ExpressionErrors.ts"
import { step } from "./Limits.ts"
import { parseTime } from "./Time.ts"

/** Maximum characters of input that `$slug` reads. */
const maxSlugInput = 100_000

/** `Das Ölfass, 2. Teil` → `das-olfass-2-teil`: keeps letters and digits of any script, at most 80 characters. */
export const slug = (text: string): string =>
  text
    .slice(0, maxSlugInput)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, 80)
    .replace(/^-+|-+$|[\ud800-\udbff]$/g, "")
    .normalize("NFC")

/** Parses JSON; numbers that are too large become strings, as in rows that are read. */
const parseJson = (text: string): unknown =>
  isDeepJson(text, deepest) ? undefined : Either.getOrUndefined(Either.try(() => parse(text).value))

/**
 * Functions of one string, by name. They return undefined for a string that they cannot parse, so that `??` can provide a default. Any
 * other type is an error, as in JSONata.
 */
export const ofText: Readonly<Record<string, (text: string) => unknown>> = {
  host,
  canonicalUrl,
  sha256,
  slug,
  json: parseJson
}

/** `$date(value)`: the time as ISO 8601 in UTC. */
export const date = (value: string | number): string | undefined => {
  const millis = parseTime(value)
  return millis === undefined ? undefined : new Date(millis).toISOString()
}

/** `$price(text, hint, locale)`: amount and currency of a price as written on pages. */
export const price = (value: unknown, hint: unknown, locale: unknown): Price | undefined =>
  typeof value === "string" || typeof value === "number"
    ? readPrice(
        String(value),
        typeof hint === "string" ? hint : undefined,
        typeof locale === "string" ? locale : undefined
      )
    : undefined

/** `$css(html, selector)`: text of the first element that matches. Fails if the selector is invalid. */
export const css = (html: unknown, selector: unknown): string | undefined => {
  if (typeof html !== "string" || typeof selector !== "string") return undefined
  const query = queryOf(selector)
  if (Either.isLeft(query)) throw new EvaluationFault("D2027", query.left)
  step(html.length >> 3)
  const found = readFirst(html, query.right)
  if (Either.isLeft(found)) throw new EvaluationFault("D2027", found.left)
  return found.right
}

/** Parses a selector. Selectors may come from rows. */
const queryOf = remember(100, parseQuery)

/** `$data(html, path)`: a value from the page's structured data, like `Product.sku`. */
export const data = (html: unknown, path: unknown): unknown => {
  if (typeof html !== "string" || typeof path !== "string") return undefined
  step(html.length >> 3)
  const found = readData(html, path)
  if (Either.isLeft(found)) throw new EvaluationFault("D2027", found.left)
  return found.right
}

const dateOptions = ["now", "language", "locale", "order", "timezone"]

const isOrder = (value: string): value is Order => value === "DMY" || value === "MDY" || value === "YMD"

/** An option of `$date`: a string, or missing. */
const optionText = (value: unknown): string | undefined => {
  if (value === undefined || value === null || value === "") return undefined
  if (typeof value !== "string") throw new EvaluationFault("D2024", value)
  return value
}

/** `$date(text, options)`: a date as written on pages, converted to ISO 8601 in UTC. Fails for invalid options. */
export const dateIn = (value: string | number, options: object, runTime: Date): string | undefined => {
  if (typeof value === "number") return date(value)
  const given = new Map<string, unknown>(Object.entries(options))
  const unknown = [...given.keys()].find((name) => !dateOptions.includes(name))
  if (unknown !== undefined) throw new EvaluationFault("D2023", unknown)
  const order = optionText(given.get("order"))?.toUpperCase()
  if (order !== undefined && !isOrder(order)) throw new EvaluationFault("D2025", order)
  const timezone = optionText(given.get("timezone"))
  if (timezone !== undefined && offsetAt(timezone, 0) === undefined) throw new EvaluationFault("D2021", timezone)
  const told = given.get("now") ?? runTime.getTime()
  const now = typeof told === "string" || typeof told === "number" ? parseTime(told) : undefined
  if (now === undefined) throw new EvaluationFault("D2026", told)
  const locale = optionText(given.get("language")) ?? optionText(given.get("locale"))
  const found = readDate(value, { now, locale, order, timezone })
  return found === undefined ? undefined : date(found.millis)
}

/** The values, shuffled. */
export const shuffle = (values: ReadonlyArray<unknown>, random: () => number): Array<unknown> => {
  const shuffled = [...values]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const chosen = Math.floor(random() * (last + 1))
    ;[shuffled[last], shuffled[chosen]] = [shuffled[chosen], shuffled[last]]
  }
  return shuffled
}

/** Names of all functions that expressions may call: JSONata's without `$eval`, and Sluice's own. */
export const functionNames: ReadonlyArray<string> = [
  ..."sum count max min average string substring substringBefore substringAfter lowercase uppercase length trim pad match".split(
    " "
  ),
  ..."contains replace split join formatNumber formatBase formatInteger parseInteger number floor ceil round abs sqrt".split(
    " "
  ),
  ..."power random boolean not map zip filter single reduce sift keys lookup append exists spread merge reverse each".split(
    " "
  ),
  ..."error assert type sort shuffle distinct base64encode base64decode encodeUrlComponent encodeUrl decodeUrlComponent".split(
    " "
  ),
  ..."decodeUrl toMillis fromMillis clone now millis".split(" "),
  ...Object.keys(ofText),
  "date",
  "price",
  "css",
  "data"
]
