/** Decides which names in a page survive a redesign: words for its subject, not for its looks, state or build. */

/** Abbreviations that are accepted as words although they have no vowel. */
const short = new Set([
  "btn",
  "nav",
  "img",
  "pkg",
  "txt",
  "src",
  "hdr",
  "ftr",
  "sku",
  "pdp",
  "plp",
  "rrp",
  "tbl",
  "tr",
  "td",
  "th",
  "dl",
  "dt",
  "dd",
  "ctn",
  "qty",
  "css",
  "cms",
  "my",
  "by"
])

/** Matches names for looks and states, which a redesign may give to other elements. */
const looks =
  /^(?:[mp][trblxyse]?|text|font|bg|border|rounded|shadow|flex|grid|gap|col|row|w|h|d|min|max|justify|items|align|self|order|float|pull|push|absolute|relative|fixed|sticky|hidden|visible|block|inline|container|wrapper|wrap|inner|outer|box|clearfix|clear|active|selected|current|open|closed|even|odd|first|last|left|right|center|centre|top|bottom|middle|small|large|big|bold|italic|muted|primary|secondary|success|danger|warning|info|light|dark|white|black|red|green|blue|gr[ae]y|yellow|orange|sm|md|lg|xl|xs|xxl|fade|show|hide|collapse|is|has|js|no|ng|v|css|sc|jsx|svelte|chakra|mui|tw)$/i

const partsOf = (name: string): ReadonlyArray<string> =>
  name.split(/[-_:.]+|(?<=[a-z])(?=[A-Z])/).filter((part) => part !== "")

const isWord = (part: string): boolean =>
  /^[A-Za-z]{2,20}$/.test(part) && (/[aeiouy]/i.test(part) || short.has(part.toLowerCase())) && !/[a-z][A-Z]/.test(part)

/** True for a name that a person chose to describe the element: `product-price`, not `css-1x2y3z`, `mt-4` or `is-active`. */
export const isLastingName = (name: string): boolean => {
  if (name.length < 3 || name.length > 60 || !/^[A-Za-z][\w-]*$/.test(name)) return false
  const parts = partsOf(name)
  return parts.every(isWord) && parts.some((part) => !looks.test(part)) && !looks.test(parts[0] ?? "")
}
