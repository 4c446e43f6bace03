/** The nearest right word for a mistyped one; light, because a typing mistake should be answered at once. */
import { distance } from "fastest-levenshtein"

/** The known word that was probably meant: near enough, whatever its case. */
export const nearest = (word: string, known: ReadonlyArray<string>): string | undefined => {
  const far = Math.max(2, Math.floor(word.length / 3))
  let best: { readonly name: string; readonly away: number } | undefined
  for (const name of known) {
    const away = distance(word.toLowerCase(), name.toLowerCase())
    if (away <= far && (best === undefined || away < best.away)) best = { name, away }
  }
  return best?.name
}

/** `, did you mean "run"?`, or nothing. */
export const didYouMean = (word: string, known: ReadonlyArray<string>): string => {
  const near = nearest(word, known)
  return near === undefined ? "" : `, did you mean "${near}"?`
}
