/** Signs in class names that CSS reads as syntax unless they are escaped: `.md:flex`, `.w-1/2`, `.w-1.5`, `.top-[3px]`. */

/** Pseudo-classes without arguments that browsers, Playwright, jQuery or css-select know. */
const pseudoClasses = new Set(
  `active any-link autofill blank buffering button checkbox checked current default defined disabled empty enabled file
  first-child first-of-type focus focus-visible focus-within fullscreen future header host hover image in-range
  indeterminate input invalid last-child last-of-type light link local-link modal muted only-child only-of-type open
  optional out-of-range parent password past paused picture-in-picture placeholder-shown playing popover-open radio
  read-only read-write required reset root scope seeking selected stalled submit target target-within text user-invalid
  user-valid valid visible visited after before first-letter first-line
  has-slotted first last even odd hidden animated`.split(/\s+/)
)

const quoted = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`

/** A string, an attribute or a text, which are left alone, or a class with such signs in it. */
const parts = new RegExp(
  String.raw`${quoted}|\[(?:${quoted}|[^\]"'])*\]|(?<=:(?:contains|has-text|text)\()(?:${quoted}|[^)"'])*|` +
    String.raw`\.-?[a-z_](?:[\w-]|\\.|[/:](?=[\w-])|(?<=\d)\.(?=\d)|(?<=-)\[(?=[^\]]*[\d#%(:])[^\]"'=]*\])*`,
  "gis"
)

const escapeSigns = (text: string): string =>
  text.replace(/\\.|[^\w\\-]/gs, (sign) => (sign.length > 1 ? sign : `\\${sign}`))

const escapeClass = (token: string, isCall: boolean): string => {
  const segments = token.slice(1).split(/(?<!\\):/)
  // Only pseudo-classes follow the last segment that is not one.
  const last = segments.findLastIndex(
    (segment, index) =>
      index === 0 ||
      !(
        segment.startsWith("-") ||
        pseudoClasses.has(segment.toLowerCase()) ||
        (isCall && index === segments.length - 1)
      )
  )
  return `.${[escapeSigns(segments.slice(0, last + 1).join(":")), ...segments.slice(last + 1)].join(":")}`
}

/** Advice to escape such signs of a selector; undefined if it has none. */
export const escapeAdvice = (selector: string): string | undefined => {
  const escaped = selector.replace(parts, (part, at: number) =>
    part.startsWith(".") ? escapeClass(part, selector[at + part.length] === "(") : part
  )
  return escaped === selector ? undefined : `escape them: ${escaped} (in YAML, use single quotes or none)`
}
