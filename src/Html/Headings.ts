/** Recognises links in headings that are controls of the page and not part of the title. */

import { type Element, isElement, squeeze, textOf } from "./Element.ts"
import { noAttributes } from "./Tokenizer.ts"

const permalinkClass =
  /(?:^|[\s_-])(?:headerlink|header-?(?:anchor|link)|heading-?(?:anchor|link)|hash-?link|anchorjs-link|anchor|perma-?link|direct-link|deep-?link|section-?link)(?=$|[\s_-])/i

/** Matches texts of symbols that stand for a link, and of invisible characters. */
const sign = /^(?:\s|\u200b|\u200c|\u200d|\u2060|\ufeff|\ufe0f|[¶§#∞🔗⚓⛓⌗↩])*$/u
const words =
  /^(?:(?:permanent )?(?:perma|anchor |direct |copy )?link(?: to (?:this )?(?:heading|section|headline|definition).*)?|anchor|copy link)$/i

/** Characters from which on a link text is the title of the heading and not a control. */
const longestSign = 80

const isSign = (text: string, isNamed: boolean): boolean =>
  sign.test(text) || (isNamed && text.length < longestSign && words.test(text))

const edit =
  /^\[\s*(?:edit(?: source)?|bearbeiten|modifier|editar|modifica|bewerken|edytuj|править|編集|编辑)(?:\s*\|\s*[^\]]{1,40})?\s*\]$/i

const holdsLink = ({ children }: Element): boolean =>
  children.some((child) => isElement(child) && (child.name === "a" || holdsLink(child)))

/** True for a link from a heading to itself that shows only a symbol, and for `[edit]`. */
export const isPermalink = (element: Element): boolean => {
  const { attributes, name } = element
  if (name === "a" || name === "button") {
    if (attributes === noAttributes) return false
    const isNamed = permalinkClass.test(attributes.class ?? "")
    if (name === "a" && !isNamed && attributes.href?.includes("#") !== true) return false
    if (element.children.some((child) => isElement(child) && child.name === "img")) return false
    return isSign(squeeze(textOf(element)), isNamed)
  }
  if (element.children.length < 2) return false
  const text = squeeze(textOf(element))
  return text.startsWith("[") && edit.test(text) && holdsLink(element)
}
