/** Whether a page has a script and no words of its own, without parsing it: most pages have a word soon (spec 2.9). */

/** What shows no words: space, comments, tags, and elements whose text is not shown. */
const wordless =
  /\s+|<!--[\s\S]*?(?:-->|$)|<(script|style|noscript|template|title|svg|iframe|object|textarea)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)|<[^>]*>/giy

export const isBare = (html: string): boolean => {
  if (!/<script\b/i.test(html)) return false
  const body = html.search(/<body\b/i)
  wordless.lastIndex = Math.max(0, body)
  let at = wordless.lastIndex
  while (at < html.length && wordless.test(html)) at = wordless.lastIndex
  return at >= html.length
}
