/** Detects pages that show no text without JavaScript, without parsing them. Most pages are decided by their first word. */

/** Markup that shows no text: white space, comments, tags, and elements whose content is not displayed. */
const wordless =
  /\s+|<!--[\s\S]*?(?:-->|$)|<(script|style|noscript|template|title|svg|iframe|object|textarea)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)|<[^>]*>/giy

/** Returns the position of the first visible text. */
const wordsFrom = (html: string, start: number): number => {
  wordless.lastIndex = start
  let at = start
  while (at < html.length && wordless.test(html)) at = wordless.lastIndex
  return at
}

/** True when the first bytes of a page contain visible text. False while the body has not begun. */
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
