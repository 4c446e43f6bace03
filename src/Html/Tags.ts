/** Rules of HTML elements: void elements, implied end tags, scopes (HTML standard, 13). */

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "))

export const voids = set(
  "area base br col embed hr img input link meta param source track wbr basefont bgsound frame keygen"
)

const foreign = set("svg math")

/** Tags inside these do not close elements outside. */
const scopes = set("html table td th caption template object button")

/** Parts of a table only close elements inside their table. */
const tableScopes = set("html table template")

/** A list item or definition closes only items of its own list. */
const boundary = set("ul ol dl menu select table section article aside nav header footer main form fieldset blockquote")

const paragraph = set("p")
const row = set("td th tr")
const cell = set("td th")
const tablePart = set("td th tr tbody thead tfoot caption colgroup")

const blocks =
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 " +
  "header hgroup hr main menu nav ol p pre search section table ul"

/** Open elements that a start tag closes. */
const closedBy: Readonly<Record<string, ReadonlySet<string>>> = {
  ...Object.fromEntries(blocks.split(" ").map((name) => [name, paragraph])),
  li: set("li"),
  dd: set("dd dt"),
  dt: set("dd dt"),
  td: cell,
  th: cell,
  tr: row,
  thead: set("tbody tfoot tr td th"),
  tbody: set("thead tbody tfoot tr td th"),
  tfoot: set("thead tbody tr td th"),
  option: set("option"),
  optgroup: set("option optgroup"),
  rt: set("rt rp"),
  rp: set("rt rp"),
  a: set("a")
}

/** Elements whose content is text up to their end tag. Character references are resolved only in `title`. */
const raw = set("script style title textarea xmp")

/** Block elements. */
export const isBlock: ReadonlySet<string> = set(
  `${blocks} html body li dd dt tr td th thead tbody tfoot caption title legend summary optgroup option iframe video audio canvas #root`
)

/** Elements whose content is never displayed. */
export const unseen = set(
  "script style noscript template head title meta link iframe object embed svg math canvas audio video map datalist textarea input noframes noembed frameset"
)

export type Layout = "unseen" | "block" | "inline"

/** Positions in the stack of open elements at which each kind of search stops. */
export interface Stops {
  /** For paragraphs and end tags. */
  readonly scope: number
  /** For parts of tables. */
  readonly table: number
  /** For siblings such as list items. */
  readonly boundary: number
}

/** Open elements that a start tag closes, and the lowest position in the stack that it can close. */
export interface Closing {
  readonly names: ReadonlyArray<string>
  readonly limit: (stops: Stops) => number
}

export interface Tag {
  readonly layout: Layout
  /** 1 to 6 for `h1` to `h6`, else 0. */
  readonly rank: number
  readonly isVoid: boolean
  readonly isForeign: boolean
  readonly closes: Closing | undefined
  /** Lowest position in the stack of open elements that its end tag can close. */
  readonly limit: (stops: Stops) => number
  readonly isScope: boolean
  readonly isTableScope: boolean
  readonly isBoundary: boolean
  readonly isRaw: boolean
}

const toScope = ({ scope }: Stops) => scope
const toTable = ({ table }: Stops) => table

const closingOf = (names: ReadonlySet<string>): Closing => ({
  names: [...names],
  limit:
    names === paragraph
      ? toScope
      : names.has("td")
        ? ({ boundary, table }) => Math.max(boundary, table)
        : ({ boundary, scope }) => Math.max(boundary, scope)
})

const describe = (name: string): Tag => ({
  rank: /^h[1-6]$/.test(name) ? Number(name[1]) : 0,
  layout: unseen.has(name) ? "unseen" : isBlock.has(name) ? "block" : "inline",
  isVoid: voids.has(name),
  isForeign: foreign.has(name),
  closes: closedBy[name] === undefined ? undefined : closingOf(closedBy[name]),
  limit: tableScopes.has(name) ? () => 0 : tablePart.has(name) ? toTable : toScope,
  isScope: scopes.has(name),
  isTableScope: tableScopes.has(name),
  isBoundary: boundary.has(name),
  isRaw: raw.has(name)
})

const tags: ReadonlyMap<string, Tag> = new Map(
  [
    ...unseen,
    ...isBlock,
    ...voids,
    ...foreign,
    ...scopes,
    ...tablePart,
    ...boundary,
    ...raw,
    ...Object.keys(closedBy)
  ].map((name) => [name, describe(name)])
)

const unknown = describe("span")

export const tagOf = (name: string): Tag => tags.get(name) ?? unknown
