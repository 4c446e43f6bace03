/**
 * Short pages that a site answers several addresses with. One that reads like a wall is one, once the same text has come for some
 * addresses of a host; the first of them have passed by then.
 *
 * Texts are remembered for each team on its own, for an hour at most, and a bounded number of them: the oldest are forgotten.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Blocked, Suspicion } from "../Html/BlockedPage.ts"
import type { Source } from "./ScrapedPage.ts"

/** Addresses with the same text that make it a wall. */
const enough = 4
const maxTexts = 5000
const maxAge = 60 * 60_000

export interface RepeatedPages {
  readonly judge: (source: Source, suspicion: Suspicion | undefined) => Effect.Effect<Blocked | undefined>
}

export const makeRepeatedPages = (): RepeatedPages => {
  const texts = new Map<string, { readonly since: number; readonly addresses: Set<string> }>()
  const judge = ({ fetched, teamId = "", url }: Source, { fingerprint, kind }: Suspicion, now: number) => {
    const { host } = new URL(fetched.url)
    const key = `${teamId}\n${host}\n${fingerprint}`
    const known = texts.get(key)
    const entry =
      known === undefined || now - known.since > maxAge ? { since: now, addresses: new Set<string>() } : known
    // A text that comes again is the youngest again.
    texts.delete(key)
    texts.set(key, entry)
    if (entry.addresses.size < enough) entry.addresses.add(url.slice(0, 2000))
    for (const oldest of texts.keys()) {
      if (texts.size <= maxTexts) break
      texts.delete(oldest)
    }
    return entry.addresses.size < enough
      ? undefined
      : ({ kind, evidence: `the same short page came for ${enough} addresses of ${host}` } satisfies Blocked)
  }
  return {
    judge: (source, suspicion) =>
      suspicion === undefined
        ? Effect.succeed(undefined)
        : Effect.map(Clock.currentTimeMillis, (now) => judge(source, suspicion, now))
  }
}
