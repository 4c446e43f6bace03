/** Functions of expressions beyond those of JSONata. */
import * as Either from "effect/Either"
import { deepest, isDeepJson } from "../../Api/Depth.ts"
import { sha256 } from "../Hash.ts"
import { parse } from "../Integers.ts"
import { canonicalUrl, host } from "../Url.ts"
import { parseTime } from "./Time.ts"

/** Characters of the input that `$slug` reads. */
const maxSlugInput = 100_000

/** `Das Ölfass, 2. Teil` → `das-olfass-2-teil`: letters and digits of any script, at most 80 characters. */
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

/** Numbers that are too large are strings, as in rows that are read. */
const parseJson = (text: string): unknown =>
  isDeepJson(text, deepest) ? undefined : Either.getOrUndefined(Either.try(() => parse(text).value))

/**
 * Functions of one string, by name. They return undefined for a string that they cannot read, so that `??` can give a default. Any other type is an
 * error, as in JSONata.
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

/** The values in random order. */
export const shuffle = (values: ReadonlyArray<unknown>, random: () => number): Array<unknown> => {
  const shuffled = [...values]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const chosen = Math.floor(random() * (last + 1))
    ;[shuffled[last], shuffled[chosen]] = [shuffled[chosen], shuffled[last]]
  }
  return shuffled
}

/** Names of all functions that an expression may call: those of JSONata without `$eval`, and ours. */
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
  "date"
]
