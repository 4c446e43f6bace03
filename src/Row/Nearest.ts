/** Suggestions for mistyped names. */
import { distance } from "fastest-levenshtein"

/** The known name with the smallest edit distance, ignoring case; undefined when none is close. */
export const nearest = (word: string, known: ReadonlyArray<string>): string | undefined => {
  const maxDistance = Math.max(2, Math.floor(word.length / 3))
  let best: { readonly name: string; readonly away: number } | undefined
  for (const name of known) {
    const away = distance(word.toLowerCase(), name.toLowerCase())
    if (away <= maxDistance && (best === undefined || away < best.away)) best = { name, away }
  }
  return best?.name
}

/** The same for a value: no suggestion for very short ones, because any known word would be near. */
export const didYouMeanWord = (word: string, known: ReadonlyArray<string>): string =>
  word.length > 2 ? didYouMean(word, known) : ""

/** `, did you mean "run"?`, or an empty string. */
export const didYouMean = (word: string, known: ReadonlyArray<string>): string => {
  const near = nearest(word, known)
  return near === undefined ? "" : `, did you mean "${near}"?`
}
