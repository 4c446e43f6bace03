/** Leaves out of a recording what only waiting was: the looks at a running job that found nothing new. */
import { ended } from "../../Api/JobStatus.ts"
import { keyOf } from "../Recording.ts"
import type { Timed } from "./Ids.ts"

/** Whoever reads this answer waits, and asks for the same again. */
const isWaiting = ({ answer, request }: Timed): boolean => {
  const { json } = answer
  if (request.method !== "GET" || answer.status !== 200 || typeof json !== "object" || json === null) return false
  const { data, status } = json as { readonly data?: unknown; readonly status?: unknown }
  return typeof status === "string" && !ended.has(status) && Array.isArray(data) && data.length === 0
}

/** How often a job was looked at depends on the machine and the day; what came of it does not. */
export const condense = (exchanges: ReadonlyArray<Timed>): ReadonlyArray<Timed> => {
  const last = new Map<string, Timed>()
  for (const each of exchanges) last.set(keyOf(each.request), each)
  return exchanges.filter((each) => !isWaiting(each) || last.get(keyOf(each.request)) === each)
}
