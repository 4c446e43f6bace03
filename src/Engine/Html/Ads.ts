/** Advertisements, told by the names that ad systems give their boxes and by where their links lead. */
import type { Element } from "./Element.ts"

const names =
  /(?:^|\s)(?:adsbygoogle|ad|ads|advert|advertisement|adbox|ad-?(?:banner|block|break|container|frame|leaderboard|placement|slot|unit|wrap|wrapper)|google-?ad|gpt-?ad|dfp-?ad|div-gpt-ad[\w-]*|sponsored-?(?:post|content|links?)|taboola[\w-]*|outbrain[\w-]*|OUTBRAIN)(?=$|\s)/i

const hosts =
  /^(?:[\w-]+\.)*(?:doubleclick\.net|googlesyndication\.com|googleadservices\.com|adservice\.google\.com|amazon-adsystem\.com|adnxs\.com|taboola\.com|outbrain\.com|criteo\.(?:com|net)|pubmatic\.com|rubiconproject\.com)$/i

/** Whether a host only serves advertisements. */
export const isAdHost = (host: string): boolean => hosts.test(host)

const networks = new RegExp(`^(?:https?:)?//${hosts.source.slice(1, -1)}/`, "i")

/** Whether an element is there to advertise. */
export const isAd = ({ name, attributes }: Element): boolean => {
  if (name === "body" || name === "main" || name === "article") return false
  const { class: classes, id, href, src } = attributes
  return (
    (classes !== undefined && names.test(classes)) ||
    (id !== undefined && names.test(id)) ||
    (name === "a" && href !== undefined && networks.test(href)) ||
    (name === "img" && src !== undefined && networks.test(src)) ||
    attributes["data-ad-slot"] !== undefined
  )
}
