/**
 * Detects block pages by repetition: a suspicious short text counts as a block page once a host returns it for several URLs.
 *
 * The first `minAddresses - 1` pages with the text still pass. Fingerprints of texts are kept in memory, per team, for at most an hour;
 * beyond the maximum, those that were seen least recently are removed.
 */
import type { Blocked, Suspicion } from "../../Html/BlockedPage.ts"
import type { Source } from "./ScrapedPage.ts"

/** Addresses of a host with the same text from which on the text counts as a block page. */
const minAddresses = 4
const maxTexts = 5000
const maxAge = 60 * 60_000

export interface RepeatedPages {
  /** `now` in epoch milliseconds. */
  readonly judge: (source: Source, suspicion: Suspicion, now: number) => Blocked | undefined
}

export const makeRepeatedPages = (): RepeatedPages => {
  const texts = new Map<string, { readonly since: number; readonly addresses: Set<string> }>()
  const judge = ({ fetched, teamId = "", url }: Source, { fingerprint, kind }: Suspicion, now: number) => {
    const { host } = new URL(fetched.url)
    const key = `${teamId}\n${host}\n${fingerprint}`
    const known = texts.get(key)
    const entry =
      known === undefined || now - known.since > maxAge ? { since: now, addresses: new Set<string>() } : known
    // Move the text to the end, because the map is ordered by last use.
    texts.delete(key)
    texts.set(key, entry)
    if (entry.addresses.size < minAddresses) entry.addresses.add(url.slice(0, 2000))
    for (const oldest of texts.keys()) {
      if (texts.size <= maxTexts) break
      texts.delete(oldest)
    }
    return entry.addresses.size < minAddresses
      ? undefined
      : ({ kind, evidence: `the same short page came for ${minAddresses} addresses of ${host}` } satisfies Blocked)
  }
  return { judge }
}
