/** Reads pages from a service's store, without a request to their site. */
import * as Effect from "effect/Effect"
import { Scrape } from "../../Client/Scrape.ts"
import { addressOf, type Row } from "../../Row.ts"
import { type Fields, mapping } from "../Requirements.ts"

/** Stored page that is at most this old, in milliseconds; undefined if the service has none. Never visits the site. */
export const storedPage = (address: string, maxAge: number) =>
  Effect.gen(function* () {
    const client = yield* Scrape
    const { data } = yield* client.run({
      url: address,
      formats: ["rawHtml"],
      lockdown: true,
      maxAge: Math.max(1, Math.ceil(maxAge))
    })
    const { metadata, rawHtml } = data
    return typeof rawHtml === "string" ? { html: rawHtml, url: metadata?.url ?? address } : undefined
  }).pipe(Effect.orElseSucceed(() => undefined))

/** Number of a row within its page, from 0; undefined for the key of a page. */
export const partOf = (key: string | undefined): number | undefined => {
  const number = /#(\d+)$/.exec(key ?? "")?.[1]
  return number === undefined ? undefined : Number(number)
}

/** Fields that can be restored from the stored page. */
const restored = ["rawHtml", "html"]

/**
 * Prepares a reject of an `extract` so that the step can read it again: adds the page's HTML, which rejects do not include, if it is
 * stored. If the page has several rows, the reject becomes a `part` of its page.
 */
export const withPage = (row: Row, written: Fields, maxAge: number) =>
  Effect.gen(function* () {
    const { html: name = "rawHtml", rows } = mapping(written)
    if ([String(name), ...restored].some((each) => typeof row.data[each] === "string")) return row
    const isPart = rows !== undefined && row.source !== undefined && partOf(row.key) !== undefined
    const { data, part }: Row = isPart ? { data: row.source, part: row.data } : row
    const address = addressOf(data)
    const page =
      address === undefined || !restored.includes(String(name)) ? undefined : yield* storedPage(address, maxAge)
    return { ...row, part, data: page === undefined ? data : { ...data, [String(name)]: page.html } }
  })
