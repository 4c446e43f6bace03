/** What people mean when YAML reads something else. */

const splitHint = "{ … } and [ … ] split at every comma, also inside $f(a, b): put the expression in quotes"

const traps: ReadonlyArray<{ readonly looks: RegExp; readonly message: string }> = [
  {
    looks: /:\s+\{\{/,
    message: 'an unquoted {{ … }} is a YAML mapping: write "${{ … }}" in quotes'
  },
  {
    looks: /:\s+[^"'\s#](?:"[^"\n]*"|'[^'\n]*'|[^"'#\n])*\?(?:"[^"\n]*"|'[^'\n]*'|[^"'#\n])*:\s/,
    message: "an unquoted `a ? b : c` is read as a mapping: put the expression in quotes"
  },
  {
    looks: /[[{,]\s*(?:[\w-]+:\s*)?\$\{\{/,
    message: "within { … } and [ … ] a ${{ … }} stands in quotes, else its braces are YAML's"
  },
  {
    looks: /[[{,][^"'\n]*\$\w+\([^)\n"']*[,[{]/,
    message: splitHint
  },
  {
    looks: /(?::|-)\s+[>|][+-]?\d?[ \t]+[^\s#]/,
    message: "a plain value that begins with > or | begins a block of lines: put it in quotes"
  },
  {
    looks: /:\s+[%@`]/,
    message: "a plain value cannot begin with %, @ or `: put it in quotes"
  },
  {
    looks: /:\s+[*!&]/,
    message: "a plain value that begins with *, ! or & is a YAML alias, tag or anchor: put it in quotes"
  }
]

/** The trap in the line at an offset, or in the one before it. */
export const trapAt = (text: string, offset: number): string | undefined => {
  const start = text.lastIndexOf("\n", Math.max(0, offset - 1)) + 1
  const end = text.indexOf("\n", offset)
  // As much of it as a person writes: what is longer was made to be hard to read.
  const line = text.slice(Math.max(start, offset - 500), Math.min(end === -1 ? text.length : end, offset + 500))
  return traps.find(({ looks }) => looks.test(line))?.message
}

/** An expression that ` #` has cut: it is still open, lacks its end, or goes on behind the #. */
export const isCut = (value: string, comment: string): boolean => {
  const bare = value.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, "x")
  const isOpen = /["'`]/.test(bare) || bare.split(/[([{]/).length !== bare.split(/[)\]}]/).length
  const isUnfinished = /(?:[-+*/%=<>&?:,.]|\b(?:and|or|in))\s*$/.test(bare)
  return isOpen || isUnfinished || /^(?:\d+|\$\w+)\s*(?:[<>=&+*/]|!=)/.test(comment)
}

export const cutHint = "a plain value ends at ` #`, the rest is a comment: put the expression in quotes"

/** `1..3`, which YAML leaves inside a list. */
export const isRange = (value: unknown): boolean => typeof value === "string" && /^-?\d+\s*\.\.\s*-?\d+$/.test(value)

export const rangeHint = "a range like [1..3] is an expression and no YAML list: put it in quotes"

/** Values that are valid YAML and still not what was meant, by the text that was read. */
export const suspiciousText = (value: string): string | undefined =>
  /^\{\{.*\}\}$/s.test(value.trim()) ? "write ${{ … }} with a dollar sign" : undefined

/** Keys that nobody writes: what is left of an expression that YAML has taken apart. */
export const suspiciousKey = (key: string): string | undefined =>
  key === "<<"
    ? "merge keys (<<) are no part of the language: write the keys out, or use an alias for a whole value"
    : /^\{.*\}$/.test(key)
      ? 'an unquoted {{ … }} is a YAML mapping: write "${{ … }}" in quotes'
      : key.endsWith(")")
        ? splitHint
        : undefined
