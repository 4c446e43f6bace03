/** Ids that a service draws, replaced by numbers: the same recording whenever the same is asked. */
import { canonical } from "../../Row/Difference.ts"
import type { Exchanged } from "../Recording.ts"
import { mapTexts, textsUnder } from "./Text.ts"

/** An exchange, and when its request and its answer passed. */
export interface Timed extends Exchanged {
  readonly at: number
  readonly answeredAt: number
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

const named = new Set(["id", "scrapeId", "jobId"])

/** Stays a valid id of version 4. */
const numbered = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`

/** Ids that an answer brought before anybody asked for them; those that a user named stay as they are. */
export const stableIds = (exchanges: ReadonlyArray<Timed>): ReadonlyArray<Timed> => {
  const asked = new Map<string, number>()
  for (const { at, request } of exchanges) {
    for (const [id] of JSON.stringify(request).matchAll(uuids)) asked.set(id, Math.min(at, asked.get(id) ?? at))
  }
  // Starts before the rest, each in the order of what they ask: who was answered first means nothing.
  const order = [...exchanges].sort(
    (a, b) =>
      Number(b.request.method === "POST") - Number(a.request.method === "POST") ||
      (canonical(a.request) < canonical(b.request) ? -1 : canonical(a.request) > canonical(b.request) ? 1 : 0)
  )
  const given = new Map<string, string>()
  for (const { answer, answeredAt } of order) {
    for (const id of textsUnder(answer.json, named)) {
      if (!uuid.test(id) || given.has(id) || (asked.get(id) ?? answeredAt) < answeredAt) continue
      given.set(id, numbered(given.size + 1))
    }
  }
  if (given.size === 0) return exchanges
  const replace = (text: string) => text.replace(uuids, (id) => given.get(id) ?? id)
  return exchanges.map(({ answer, request, ...times }) => ({
    ...times,
    request: mapTexts(request, replace) as Exchanged["request"],
    answer: mapTexts(answer, replace) as Exchanged["answer"]
  }))
}
