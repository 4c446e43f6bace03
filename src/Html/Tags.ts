/** Rules of elements by name (HTML standard, 13.1.2 and 13.2.4): number, categories, content and layout. SVG and MathML have their own. */

/** Set of names separated by spaces. */
export const namesIn = (names: string): ReadonlySet<string> => new Set(names.split(" "))

export const voids = namesIn(
  "area base br col embed hr img input link meta param source track wbr basefont bgsound frame keygen"
)

const blocks =
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 " +
  "header hgroup hr main menu nav ol p pre search section table ul"

/** Block elements. */
export const isBlock: ReadonlySet<string> = namesIn(
  `${blocks} html body li dd dt tr td th thead tbody tfoot caption title legend summary optgroup option iframe video audio canvas #root`
)

/** Elements whose text is struck out, such as a former price. */
export const struck = namesIn("del s strike")

/** Elements whose content is never displayed. */
export const unseen = namesIn(
  "script style noscript template head title meta link iframe object embed svg math canvas audio video map datalist textarea input noframes noembed frameset"
)

export type Layout = "unseen" | "block" | "inline"

/** The standard's category "special": elements at which the search for an element to close stops. */
const special = namesIn(
  "address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd details dir div dl dt " +
    "embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li " +
    "link listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre script search section select source " +
    "style summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp"
)
const scopes = namesIn("applet caption html table td th marquee object template")
const formatting = namesIn("a b big code em font i nobr s small strike strong tt u")
const implied = namesIn("dd dt li optgroup option p rb rp rt rtc")
const tableParts = namesIn("table tbody tfoot thead tr")
/** Names whose end tag does more than close its element. */
const isRuled = namesIn("head body colgroup form select frameset br")
const others = namesIn(
  "abbr bdi bdo cite data del dfn image ins kbd label mark math output picture q ruby samp slot span sub sup svg time var"
)

/**
 * Content of an element as seen by the tokenizer: markup; markup after an ignored line feed; text up to the end tag, with or without
 * character references, or of a script with its comments; text up to the end of the page.
 */
export type Content = "markup" | "afterLineFeed" | "references" | "raw" | "script" | "rest"

const contents: Readonly<Record<string, Content>> = {
  title: "references",
  textarea: "references",
  script: "script",
  plaintext: "rest",
  pre: "afterLineFeed",
  listing: "afterLineFeed",
  ...Object.fromEntries("style xmp iframe noembed noframes noscript".split(" ").map((name) => [name, "raw" as const]))
}

export type Namespace = "html" | "svg" | "math"

/** Names of the lists of frequently used elements that a `Tree` has. */
export type Listed = "anchors" | "images" | "dated" | "metas" | "relations" | "titles" | "bases"

const lists: Readonly<Record<string, Listed>> = {
  a: "anchors",
  area: "anchors",
  img: "images",
  time: "dated",
  script: "dated",
  meta: "metas",
  link: "relations",
  title: "titles",
  base: "bases"
}

export interface Tag {
  /** Number of the element's name; 0 for names without rules, and in SVG and MathML. */
  readonly id: number
  readonly namespace: Namespace
  readonly isForeign: boolean
  readonly layout: Layout
  /** 1 to 6 for `h1` to `h6`, else 0. */
  readonly rank: number
  readonly isVoid: boolean
  readonly isSpecial: boolean
  /** True if the element is special and ends the search for an open list item. */
  readonly isBarrier: boolean
  readonly isScope: boolean
  /** True if any of special, barrier, scope or foreign applies. */
  readonly isStop: boolean
  readonly isImplied: boolean
  /** True if the end tag only closes the element, provided that it is the last open one. */
  readonly isPlain: boolean
  readonly isFormatting: boolean
  /** True if content that is not allowed in it is inserted before the table. */
  readonly isTablePart: boolean
  /** HTML content allowed in an SVG or MathML element: any, or phrasing content only. */
  readonly holdsHtml: "any" | "phrases" | undefined
  readonly content: Content
  readonly list: Listed | undefined
}

const layoutOf = (name: string): Layout => (unseen.has(name) ? "unseen" : isBlock.has(name) ? "block" : "inline")

const describe = (name: string, id: number): Tag => ({
  id,
  namespace: "html",
  isForeign: false,
  layout: layoutOf(name),
  rank: /^h[1-6]$/.test(name) ? Number(name[1]) : 0,
  isVoid: voids.has(name),
  isSpecial: special.has(name),
  isBarrier: special.has(name) && name !== "address" && name !== "div" && name !== "p",
  isScope: scopes.has(name),
  isStop: special.has(name) || scopes.has(name),
  isImplied: implied.has(name),
  isPlain: !isRuled.has(name) && !formatting.has(name) && !scopes.has(name) && !tableParts.has(name),
  isFormatting: formatting.has(name),
  isTablePart: tableParts.has(name),
  holdsHtml: undefined,
  content: contents[name] ?? "markup",
  list: lists[name]
})

const names = [
  ...new Set([
    ...special,
    ...isBlock,
    ...unseen,
    ...voids,
    ...scopes,
    ...formatting,
    ...implied,
    ...tableParts,
    ...others
  ])
]
const tags: ReadonlyMap<string, Tag> = new Map(names.map((name, at) => [name, describe(name, at + 1)]))

/** Number of names with rules, plus one: every `id` is below it. */
export const tagCount = names.length + 1

const unknown = describe("", 0)

export const tagOf = (name: string): Tag => tags.get(name) ?? unknown

export const idOf = (name: string): number => tagOf(name).id

/** SVG and MathML elements that end scopes, with the HTML content they allow. */
const foreignScopes: Readonly<Record<string, Tag["holdsHtml"]>> = {
  "svg foreignObject": "any",
  "svg desc": "any",
  "svg title": "any",
  "math annotation-xml": undefined,
  ...Object.fromEntries("mi mo mn ms mtext".split(" ").map((name) => [`math ${name}`, "phrases" as const]))
}

const describeForeign = (name: string, namespace: Namespace, holdsHtml: Tag["holdsHtml"]): Tag => {
  const isScope = Object.hasOwn(foreignScopes, `${namespace} ${name}`)
  return {
    ...describe("", 0),
    namespace,
    isForeign: true,
    layout: layoutOf(name),
    isSpecial: isScope,
    isBarrier: isScope,
    isScope,
    isStop: true,
    isPlain: false,
    holdsHtml,
    list: name === "a" || name === "script" ? lists[name] : undefined
  }
}

const foreignTags = new Map<string, Tag>()

/** Rules of an SVG or MathML element. `holdsHtml`: it is an `annotation-xml` that contains HTML. */
export const foreignTagOf = (name: string, namespace: Namespace, holdsHtml: boolean): Tag => {
  const isScope = Object.hasOwn(foreignScopes, `${namespace} ${name}`)
  const isNamed = isScope || unseen.has(name) || isBlock.has(name) || Object.hasOwn(lists, name)
  const key = `${namespace} ${isNamed ? name : ""} ${holdsHtml}`
  const known = foreignTags.get(key)
  if (known !== undefined) return known
  const tag = describeForeign(isNamed ? name : "", namespace, holdsHtml ? "any" : foreignScopes[`${namespace} ${name}`])
  foreignTags.set(key, tag)
  return tag
}
