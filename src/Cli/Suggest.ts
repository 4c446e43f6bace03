/** The nearest right word; light, because a typing mistake should be answered at once. */
import { closest, distance } from "fastest-levenshtein"

/** `, did you mean "run"?` when a known word is near enough, else nothing. */
export const didYouMean = (word: string, known: ReadonlyArray<string>): string => {
  const near = known.length === 0 ? undefined : closest(word.toLowerCase(), [...known])
  return near !== undefined && distance(word.toLowerCase(), near) <= Math.max(2, Math.floor(word.length / 3))
    ? `, did you mean "${near}"?`
    : ""
}
