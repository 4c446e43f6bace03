/** Escapes text for its position: within a line, at its start, in a link, heading or table cell, or before the next piece. */
const special = /[\\`*_<\]|~&]/

/** True if the brackets in a link text need no escape: they are paired, and none could start a link target. */
export const isBalanced = (text: string): boolean => {
  if (!text.includes("[") && !text.includes("]")) return true
  let depth = 0
  for (const character of text) {
    if (character === "[") depth += 1
    else if (character === "]") depth -= 1
    if (depth < 0) return false
  }
  return depth === 0 && !/\][([]/.test(text)
}

/** Surroundings of text (table cell, link, struck-out text), which decide which characters need an escape. */
export interface EscapeContext {
  readonly cell: boolean
  readonly link: boolean
  readonly struck: boolean
}

/** True if the text has several tildes, which could strike text out. A single one cannot, and often means "about". */
const strikes = (text: string): boolean => text.indexOf("~") !== text.lastIndexOf("~")

/** Underscores, except those between two letters or digits. */
const underscores = /(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])/gu

/** Escapes text in the middle of a line. */
export const escapeText = (text: string, { cell, link, struck }: EscapeContext): string => {
  const brackets = link && !isBalanced(text)
  if (!brackets && !special.test(text)) return text
  let escaped = text
  // A backslash at the end would escape the next character.
  if (text.includes("\\")) escaped = escaped.replace(/\\(?=[!-/:-@[-`{-~]|$)/g, "\\\\")
  if (text.includes("`") || text.includes("*")) escaped = escaped.replace(/[`*]/g, "\\$&")
  if (text.includes("_")) escaped = escaped.replace(underscores, (run) => "\\_".repeat(run.length))
  if (text.includes("<")) escaped = escaped.replace(/<(?=[a-zA-Z/!?]|$)/g, "\\<")
  if (text.includes("]") || brackets) escaped = escaped.replace(brackets ? /[[\]]/g : /\](?=[([])/g, "\\$&")
  if (text.includes("&")) escaped = escaped.replace(/&(?=#?\w{1,32};)/g, "\\&")
  if (text.includes("~")) escaped = escaped.replaceAll(struck || strikes(text) ? "~" : "~~", "\\$&")
  return cell ? escaped.replaceAll("|", "\\|") : escaped
}

const blockStart =
  /^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+\s*$|-{2,}\s*$|\||:?-+:?\s*\||:-|\[(?=(?:[^[\]\\]|\\.){1,999}\]:))/
const orderedStart = /^(\d{1,9})([.)])(?=\s|$)/

/** Characters with which `blockStart` and `orderedStart` can begin; most lines begin with a letter. */
const lineMarks = "#-+>=|:[0123456789"

/** Escapes text that could begin a heading, list, quotation, table or link definition at the start of a line. */
export const escapeLineStart = (text: string): string =>
  lineMarks.includes(text.charAt(0)) ? text.replace(blockStart, "\\$&").replace(orderedStart, "$1\\$2") : text

/** Escapes a `#` at the end of a heading, which would be read as its closing sequence. */
export const escapeHeadingEnd = (text: string): string =>
  text.endsWith("#") ? text.replace(/(^|\s)(#+)$/, "$1\\$2") : text

/** A fence longer than any run of backticks in the code. */
export const fenceFor = (code: string, least: number): string => {
  let longest = 0
  if (!code.includes("`")) return "`".repeat(least)
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return "`".repeat(longest < least ? least : longest + 1)
}

/** Characters that are markup only before certain text, with a pattern for the start of the next piece. */
const joints: Readonly<Record<string, RegExp>> = {
  "!": /^\[/,
  "]": /^[([]/,
  "&": /^#?\w/,
  "~": /^~/
}

/** Escapes the last character of a piece of text if the next piece would make it markup. */
export const escapeJoint = (text: string, next: string): string => {
  const last = text.charAt(text.length - 1)
  // An even number of backslashes in front of the character are escaped themselves.
  return joints[last]?.test(next) === true && !/(?<!\\)(?:\\\\)*\\.$/.test(text)
    ? `${text.slice(0, -1)}\\${last}`
    : text
}

/** Escapes the alternative text of an image. */
export const escapeAlt = (text: string): string =>
  /[[\]\\*`_<&]/.test(text)
    ? text
        .replace(/[[\]\\*`]/g, "\\$&")
        .replace(underscores, (run) => "\\_".repeat(run.length))
        .replace(/<(?=[a-zA-Z/!?])|&(?=#?\w{1,32};)/g, "\\$&")
    : text

/** Escapes a URL for the parentheses of a link; in a table cell also `|`, which would end the cell. */
export const escapeAddress = (address: string, inCell = false): string => {
  const unsafe = inCell ? /[\s()<>|]/g : /[\s()<>]/g
  return address.search(unsafe) === -1
    ? address
    : address.replace(unsafe, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`)
}
