/** Suggestions for mistyped names. */
import { distance } from "fastest-levenshtein"

/** The known name with the smallest edit distance, ignoring case; undefined if that is more than 2 and more than a third of the word. */
export const nearest = (word: string, known: ReadonlyArray<string>): string | undefined => {
  const maxDistance = Math.max(2, Math.floor(word.length / 3))
  let best: { readonly name: string; readonly away: number } | undefined
  for (const name of known) {
    const away = distance(word.toLowerCase(), name.toLowerCase())
    if (away <= maxDistance && (best === undefined || away < best.away)) best = { name, away }
  }
  return best?.name
}

/** Like {@link didYouMean}, for a value: no suggestion for up to two characters, because any known word would be near. */
export const didYouMeanWord = (word: string, known: ReadonlyArray<string>): string =>
  word.length > 2 ? didYouMean(word, known) : ""

/** `, did you mean "run"?`, or an empty string. */
export const didYouMean = (word: string, known: ReadonlyArray<string>): string => {
  const near = nearest(word, known)
  return near === undefined ? "" : `, did you mean "${near}"?`
}
