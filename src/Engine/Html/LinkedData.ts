/** What a page says of itself to machines: the JSON-LD in its scripts (schema.org). */
import * as Either from "effect/Either"
import { type Element, textOf } from "./Element.ts"

/** Scripts, and characters of each. */
const [most, longest] = [20, 200_000]

const isLinkedData = ({ attributes, name }: Element): boolean =>
  name === "script" && /^application\/ld\+json/i.test(attributes.type?.trim() ?? "")

/** What those of the elements hold in which a word occurs; undefined for one that is no JSON. */
export const linkedData = (elements: ReadonlyArray<Element>, word: string): ReadonlyArray<unknown> =>
  elements
    .filter(isLinkedData)
    .slice(0, most)
    .map(textOf)
    .filter((text) => text.length <= longest && text.includes(word))
    .map((text) => Either.getOrUndefined(Either.try((): unknown => JSON.parse(text))))
