/** Whether a page has a script and no words of its own, without parsing it: most pages have a word soon. */

/** What shows no words: space, comments, tags, and elements whose text is not shown. */
const wordless =
  /\s+|<!--[\s\S]*?(?:-->|$)|<(script|style|noscript|template|title|svg|iframe|object|textarea)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)|<[^>]*>/giy

/** Where the words begin. */
const wordsFrom = (html: string, start: number): number => {
  wordless.lastIndex = start
  let at = start
  while (at < html.length && wordless.test(html)) at = wordless.lastIndex
  return at
}

/** Whether a word is shown in the beginning of a page; of one whose body comes later, that is not known. */
export const showsWord = (beginning: string): boolean => {
  const body = beginning.search(/<body\b/i)
  if (body === -1) return false
  const at = wordsFrom(beginning, body)
  return at < beginning.length && beginning[at] !== "<"
}

export const isBare = (html: string): boolean => {
  if (!/<script\b/i.test(html)) return false
  return wordsFrom(html, Math.max(0, html.search(/<body\b/i))) >= html.length
}
