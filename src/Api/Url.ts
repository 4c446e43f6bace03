/** Parts and kinds of URLs. `canParse` works around a bug of Node 20. */
import * as Option from "effect/Option"

const parse = Option.liftThrowable((text: string, base: string | undefined) => new URL(text, base))

/** The bug does not affect ASCII strings. */
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

/** Like `URL.canParse`. After some thousand calls, Node 20's own reads Latin-1 strings as UTF-8 and then refuses `https://münchen.de/`. */
export const canParse = (text: string, base?: string): boolean =>
  isAscii(text) && isAscii(base ?? "") ? URL.canParse(text, base) : Option.isSome(parse(text, base))

const trackingParameter =
  /^(utm_.*|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|mc_[ce]id|igshid|yclid|twclid|ttclid|li_fat_id|_ga|_gl|_hs(enc|mi)|__hs(tc|sc|fp)|mkt_tok|oly_(anon|enc)_id|vero_id|wickedid)$/i

/** True for the name of a query parameter that identifies a visitor or a campaign, never a page. */
export const isTracking = (name: string): boolean => trackingParameter.test(name)

/** True for a valid URL with `http:` or `https:`. */
export const isHttp = (text: string): boolean => canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** Host and port of a URL; empty if it is invalid. */
export const hostOf = (url: string): string => (canParse(url) ? new URL(url).host : "")

export const withoutFragment = (url: string): string => url.split("#", 1)[0] ?? ""

const decodeComponent = Option.liftThrowable(decodeURIComponent)

/** Decodes percent-encoding. Malformed text is returned as written. */
export const percentDecoded = (text: string): string =>
  text.includes("%") ? Option.getOrElse(decodeComponent(text), () => text) : text
