/** Detects navigation, advertisements and other boilerplate by tag, role, class and URL. */

import { type Element, isElement, rankOf, type TagTest, tagTest } from "./Element.ts"
import { nameTest, withWords } from "./Names.ts"
import { noAttributes, type StartTag } from "./Tokenizer.ts"

const tags = new Set(["nav", "aside", "footer", "dialog", "menu", "button", "select", "form", "fieldset"])

const roles = new Set([
  "navigation",
  "banner",
  "contentinfo",
  "complementary",
  "search",
  "menu",
  "menubar",
  "dialog",
  "alertdialog",
  "alert"
])

const hasMarkingRole = tagTest(
  ({ attributes }) => roles.has(attributes.role ?? "") || attributes["aria-modal"] === "true"
)

const isTabList = tagTest(({ attributes }) => attributes.role === "tablist")

/** Above this many characters, a tab list contains the panels of the tabs as well. */
const maxTabs = 200

/** Matches classes and ids of boilerplate, by whole words between `-`, `_` and white space. */
const surroundings = new RegExp(
  `(?:^|[\\s_-])(?:${[
    "nav|navbar|navigation|menu|breadcrumbs?|toc|jump-?to-?nav|skip-?link|skip|pagination|pager|prev-next|navbox|hatnote|mw-editsection|print|noprint",
    "sidebar|side-?bar|footer|masthead|topbar|toolbar|banner|widget|tagcloud|tags|rss|legal|disclaimers?",
    "share|sharing|sharebar|social|socials|addthis|comments?|disqus|replies|respond|reviews|vote|feedback|author-?bio|byline-bio",
    "related|recommend(?:ed|ations?)|recirc|outbrain|taboola|trending|most-?(?:read|popular)|popular|more-(?:stories|from|on)|read-?more|teasers?",
    "promo|promotion|newsletter|subscribe|subscription|signup|login|paywall|cookies?|consent|gdpr|sponsor(?:ed)?|advert(?:s|isement|ising)?|ads?|ad-(?:container|slot|wrapper|break|unit)",
    "popup|pop-up|modal|overlay|screen-reader-text|sr-only|visually-hidden"
  ].join("|")})(?=$|[\\s_-])`,
  "i"
)

const namesSurrounding = nameTest(surroundings)

const answers = /(?:^|[\s_-])(?:comments?|replies|respond)(?=$|[\s_-])/gi

/** The same test for discussions, where names of answers, such as `comments`, do not count. */
const namesOther = nameTest(surroundings, (name) => withWords(name).replace(answers, ""))

/** Tests for words that count only in classes: ids are often generated from headings, which may be about filters. */
const namesControl = nameTest(
  /(?:^|[\s_-])(?:filters?|facets?|refine|refinements?|sort(?:ing|-?by)?|results?-count|buttons|cta|call-to-action|tooltips?|popovers?|toast|snackbar|recently-viewed|byline|copyright)(?=$|[\s_-])/i
)

/** Tests for names of boxes beside a product: terms of delivery and payment, ratings, and tables of other products. */
const namesBesideProduct = nameTest(
  /(?:^|[\s_-])(?:shipping|delivery|payments?|financing|installments?|ratings?|compare|comparison)(?=$|[\s_-])/i
)

const namesContent = nameTest(
  /(?:^|[\s_-])(?:article|articles?-?body|body|content|contents|main|story|entry|post|text|column|page|shadow)(?=$|[\s_-])/i
)

/** Declared kind of a page, which decides which names are those of boilerplate. */
export interface PageKind {
  /** True if comments and replies are content. */
  readonly isDiscussion: boolean
  readonly isProduct: boolean
}

/** True if the class or the id is that of boilerplate, and neither is also that of content. */
const namesBoilerplate = (tag: StartTag, kind: PageKind | undefined, withId: boolean): boolean => {
  const isNamed = kind?.isDiscussion === true ? namesOther : namesSurrounding
  return (
    ((isNamed(tag, withId) || namesControl(tag, false)) && !namesContent(tag, withId)) ||
    (kind?.isProduct === true && namesBesideProduct(tag, withId))
  )
}

const isInArticle = (element: Element): boolean => {
  for (let around = element.parent; around !== undefined; around = around.parent) {
    if (around.name === "article" || around.name === "main") return true
  }
  return false
}

export const holds = (element: Element, name: string): boolean =>
  element.children.some((child) => isElement(child) && (child.name === name || holds(child, name)))

/** Maximum characters of an `aria-hidden` element that is left out. A longer one may be a closed tab or slide, and stays. */
const maxDecoration = 300

const isAriaHidden = tagTest(({ attributes }) => attributes["aria-hidden"] === "true")

/** True for short text that is hidden from screen readers: duplicates, symbols and counters. */
const isDecoration = (element: Element): boolean =>
  isAriaHidden(element) && element.text > 0 && element.text <= maxDecoration && !holds(element, "p")

/** Minimum characters of the label of a collapsed section. Shorter labels, such as "Menu", belong to menus. */
const minFoldLabel = 15

/** True for a button that forms most of the heading of a collapsible section, such as a question with its answer. */
export const unfolds = ({ attributes, name, parent, text }: Element): boolean => {
  if (name !== "button") return false
  if (attributes["aria-expanded"] !== undefined && attributes["aria-haspopup"] === undefined && text >= minFoldLabel)
    return true
  let heading = parent
  while (heading !== undefined && heading.layout === "inline") heading = heading.parent
  return heading !== undefined && rankOf(heading) > 0 && text > heading.text / 2
}

/** True for boilerplate by its tag, role or state. */
export const isMarked = (element: Element): boolean => {
  const { name, attributes } = element
  if (name === "dialog" && attributes.open !== undefined) return attributes["aria-modal"] === "true"
  if (tags.has(name)) return !unfolds(element)
  if (name === "header") return !(isInArticle(element) || holds(element, "h1"))
  if (attributes === noAttributes) return false
  if (hasMarkingRole(element) || isHidden(element) || isDecoration(element)) return true
  return isTabList(element) && element.text <= maxTabs
}

const holdsLinkTo = (element: Element, href: string): boolean =>
  element.children.some((child) => isElement(child) && (child.attributes.href === href || holdsLinkTo(child, href)))

/** True if an element's heading, or the element itself as a `dt`, links to its id: such an id is made of the heading's words. */
const isPermalinked = (element: Element): boolean => {
  const { attributes, children, name } = element
  if (attributes.id === undefined) return false
  const href = `#${attributes.id}`
  if (name === "dt") return holdsLinkTo(element, href)
  return children.some((child) => isElement(child) && rankOf(child) > 0 && holdsLinkTo(child, href))
}

/** True for boilerplate by its tag, role, state, class or id. */
export const isBoilerplate = (element: Element, kind?: PageKind): boolean => {
  if (isMarked(element)) return true
  const { name, attributes } = element
  if (
    attributes === noAttributes ||
    attributes.role === "tabpanel" ||
    name === "body" ||
    name === "article" ||
    name === "main" ||
    name === "a" ||
    name === "table" ||
    rankOf(element) > 0
  )
    return false
  return (
    namesBoilerplate(element.tag, kind, true) && (!isPermalinked(element) || namesBoilerplate(element.tag, kind, false))
  )
}

/** Hidden rows and cells count as content, because tables hide data that is still part of them. */
const tableParts = new Set(["tr", "td", "th", "tbody", "col"])

/** True for a tag that hides its element with `hidden`, or with `display` or `visibility` in `style`. */
export const hides = tagTest(
  ({ attributes, name }) =>
    attributes.hidden !== undefined ||
    attributes.popover !== undefined ||
    (attributes.style !== undefined &&
      /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes.style) &&
      !tableParts.has(name))
)

/** True for a dialog that is not open. */
export const isClosed = ({ tag: { attributes, name } }: { readonly tag: StartTag }): boolean =>
  name === "dialog" && attributes.open === undefined

/** True for an element hidden by the page. */
export const isHidden = (element: Element): boolean => (hides(element) || isClosed(element)) && !element.revealed

/** Initial score of a candidate for the main content, by its tag, class and id. */
export const looksLikeContent = (element: Element): number => {
  const byName =
    element.name === "article" || element.name === "main"
      ? 15
      : element.name === "div"
        ? 5
        : element.name === "td"
          ? 3
          : 0
  return byName + (namesContent(element.tag) ? 25 : 0) - (namesSurrounding(element.tag) ? 25 : 0)
}

const boxes = new Set(["div", "section", "header", "ul", "ol"])

/** Number of links inside; counts no further than `most`. */
const linksIn = (element: Element, most: number): number => {
  let links = 0
  for (const child of element.children) {
    if (links >= most) break
    if (isElement(child) && !child.dropped && child.text > 0)
      links += child.name === "a" ? 1 : linksIn(child, most - links)
  }
  return links
}

/** If links have more characters than this on average, they are content, such as titles of articles. */
const longLink = 30

/** True for a short box inside the content that consists of links. */
export const isAside = (element: Element): boolean => {
  const { linked, name, text } = element
  if (!boxes.has(name) || text === 0) return false
  const list = name === "ul" || name === "ol"
  const isShort = linked / text > (list ? 0.95 : 0.75) && text < 1_500 && !(list && text < 200)
  return isShort && linksIn(element, linked / longLink) * longLink >= linked
}

const namesAd = nameTest(
  /(?:^|\s)(?:adsbygoogle|ad|ads|advert|advertisement|adbox|ad-?(?:banner|block|break|container|frame|leaderboard|placement|slot|unit|wrap|wrapper)|google-?ad|gpt-?ad|dfp-?ad|div-gpt-ad[\w-]*|sponsored-?(?:post|content|links?)|taboola[\w-]*|outbrain[\w-]*|OUTBRAIN)(?=$|\s)/i,
  (name) => name
)

const adHosts =
  /^(?:[\w-]+\.)*(?:doubleclick\.net|googlesyndication\.com|googleadservices\.com|adservice\.google\.com|amazon-adsystem\.com|adnxs\.com|taboola\.com|outbrain\.com|criteo\.(?:com|net)|pubmatic\.com|rubiconproject\.com)$/i

export const isAdHost = (host: string): boolean => adHosts.test(host)

const adAddresses = new RegExp(`^(?:https?:)?//${adHosts.source.slice(1, -1)}/`, "i")

const namesConsent = nameTest(
  /(?:^|[\s_-])(?:(?:cookies?|gdpr|ccpa|privacy|cmp)[_-]?(?:consent|banner|notice|pop-?up|bar|dialog|modal|message|overlay|wall|law|info|alert|disclaimer)|consent[_-]?(?:sdk|banner|manager|pop-?up|dialog|modal|message|overlay|box|bar|notice))/i
)

const hasConsentTag = tagTest((tag) => namesConsent(tag))

/** True for a cookie consent box, unless it contains the whole page. */
const asksConsent = (element: Element): boolean =>
  hasConsentTag(element) && !holds(element, "h1") && !holds(element, "main")

const hasAdTag = tagTest((tag) => {
  const { attributes, name } = tag
  const { href, src } = attributes
  return (
    namesAd(tag) ||
    (name === "a" && href !== undefined && adAddresses.test(href)) ||
    (name === "img" && src !== undefined && adAddresses.test(src)) ||
    attributes["data-ad-slot"] !== undefined
  )
})

/** Quick test: false for tags that {@link isAd} never accepts. */
export const mayBeAd: TagTest = (tagged) => hasAdTag(tagged) || hasConsentTag(tagged)

export const isAd = (element: Element): boolean => {
  const { attributes, name } = element
  if (attributes === noAttributes || name === "body" || name === "main" || name === "article") return false
  return hasAdTag(element) || asksConsent(element)
}
