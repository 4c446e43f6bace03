/** Characters that would mean something else in markdown (CommonMark 2.4). */

const special = /[\\`*_<\]|~&]/

/** Whether the text of a link may have these brackets as they are: pairs of them, and none that could begin an address. */
export const isBalanced = (text: string): boolean => {
  let depth = 0
  for (const character of text) {
    if (character === "[") depth += 1
    else if (character === "]") depth -= 1
    if (depth < 0) return false
  }
  return depth === 0 && !/\][([]/.test(text)
}

/** Where a text stands: what would end it there. */
interface Place {
  readonly cell: boolean
  readonly link: boolean
  readonly struck: boolean
}

/** One tilde alone strikes nothing out, and is often written for "about". */
const strikes = (text: string): boolean => text.indexOf("~") !== text.lastIndexOf("~")

/** Text as it stands in the middle of a line. */
export const escapeText = (text: string, { cell, link, struck }: Place): string => {
  const brackets = link && !isBalanced(text)
  if (!brackets && !special.test(text)) return text
  const escaped = text
    // At the end it would take the sign behind it for a letter.
    .replace(/\\(?=[\\`*_{}[\]()#+\-.!|<>~&]|$)/g, "\\\\")
    .replace(/[`*]/g, "\\$&")
    .replace(/(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])/gu, (run) => "\\_".repeat(run.length))
    .replace(/<(?=[a-zA-Z/!?])/g, "\\<")
    .replace(brackets ? /[[\]]/g : /\](?=[([])/g, "\\$&")
    .replace(/&(?=#?\w{1,32};)/g, "\\&")
    .replaceAll(struck || strikes(text) ? "~" : "~~", "\\$&")
  return cell ? escaped.replaceAll("|", "\\|") : escaped
}

const blockStart = /^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+\s*$|-{2,}\s*$|\|)/
const orderedStart = /^(\d{1,9})([.)])(?=\s|$)/

/** With what `blockStart` and `orderedStart` begin; most lines begin with a letter. */
const lineMarks = "#-+>=|0123456789"

/** Text at the start of a line, where it could begin a heading, a list or a quotation. */
export const escapeLineStart = (text: string): string =>
  lineMarks.includes(text.charAt(0)) ? text.replace(blockStart, "\\$&").replace(orderedStart, "$1\\$2") : text

/** Text in a heading: signs of number at its end would be taken for the heading's own. */
export const escapeHeadingEnd = (text: string): string =>
  text.endsWith("#") ? text.replace(/(^|\s)(#+)$/, "$1\\$2") : text

/** Backticks that do not occur in the code. */
export const fenceFor = (code: string, least: number): string => {
  let longest = 0
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return "`".repeat(longest < least ? least : longest + 1)
}

/** An address between the parentheses of a link. */
export const escapeAddress = (address: string): string =>
  /[\s()<>]/.test(address)
    ? address.replace(
        /[\s()<>]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`
      )
    : address
