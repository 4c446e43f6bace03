/** What makes two requests ask for the same bytes: team, address, and all that a site or a browser goes by. */
import { hash } from "node:crypto"
import { formatName } from "../../Api/ScrapeOptions.ts"
import { sorted } from "../Repeat.ts"
import { mayBeSecret } from "../Scrape/Headers.ts"
import type { Plan } from "../Scrape/Plan.ts"
import type { ScrapeTarget } from "../Scrape/Scraper.ts"

/** Actions that bring something back besides the page. */
const fruitful = new Set(["screenshot", "scrape", "executeJavascript", "pdf"])

/**
 * Why an answer cannot be that of a copy, in words; undefined when it can. What was fetched with somebody's credentials
 * is theirs: it is not laid down where it outlives the request, however well its key is hashed.
 */
export const unfit = ({ formats, headers, actions, profile }: Plan["options"]): string | undefined => {
  const name = Object.keys(headers ?? {}).find(mayBeSecret)
  if (name !== undefined) return `the header "${name}" may be a secret`
  if (profile !== undefined) return "a browser profile may be logged in"
  const format = formats.map(formatName).find((format) => format.startsWith("screenshot"))
  if (format !== undefined) return `the format "${format}" is made by a browser that has the page open`
  const action = (actions ?? []).find(({ type }) => fruitful.has(type))
  return action === undefined ? undefined : `the action "${action.type}" brings back more than the page`
}

/** Those that go out like no proxy at all. */
const plain = new Set(["basic", "auto", "none"])

/** Without what no server sees: the part behind `#`, unless a script reads it, and the name and password. */
const normalize = (text: string, rendered: boolean): string => {
  const url = new URL(text)
  if (!rendered && !/^#[!/]/.test(url.hash)) url.hash = ""
  url.username = ""
  url.password = ""
  return url.href
}

/** Header names are the same in any case. */
const lowered = (headers: Readonly<Record<string, string>> | undefined) => {
  const entries = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

const variant = ({ headersFor, url, userAgent }: ScrapeTarget, { options, rendering }: Plan): string => {
  const headers = lowered(options.headers)
  const actions = options.actions ?? []
  return JSON.stringify(
    sorted({
      headers,
      // They are held back from another site than that which they were given for.
      ...(headers === undefined ? {} : { headersFor: new URL(headersFor ?? url).origin }),
      userAgent,
      skipTlsVerification: options.skipTlsVerification ? true : undefined,
      mobile: options.mobile ? true : undefined,
      location: options.location,
      proxy: options.proxy === undefined || plain.has(options.proxy) ? undefined : options.proxy,
      waitFor: options.waitFor > 0 ? options.waitFor : undefined,
      actions: actions.length === 0 ? undefined : actions,
      // A browser that blocks advertisements gets another page.
      ...(rendering === undefined ? {} : { blockAds: options.blockAds })
    })
  )
}

/** The key of the copy that a request makes, and of the one that answers it. */
export const make = (target: ScrapeTarget, plan: Plan): string =>
  hash(
    "sha256",
    `${target.teamId}\n${normalize(target.url, plan.rendering !== undefined)}\n${variant(target, plan)}`,
    "base64url"
  )
