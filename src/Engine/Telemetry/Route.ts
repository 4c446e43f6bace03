/** The route of a request, as the contract writes it: a name for spans and metrics that no caller can multiply. */
import { Api } from "../../Api.ts"

type Segments = ReadonlyArray<string>

const segmentsOf = (path: string): Segments => path.split("/").slice(1)

const routes = new Map<string, Array<{ readonly path: string; readonly segments: Segments }>>()

const place = (method: string, segments: Segments): string => `${method} ${segments.length}`

for (const group of Object.values(Api.groups)) {
  for (const { method, path } of Object.values(group.endpoints)) {
    const segments = segmentsOf(path)
    const known = routes.get(place(method, segments)) ?? []
    routes.set(place(method, segments), [...known, { path, segments }])
  }
}

/** Beside the contract. */
const others: ReadonlySet<string> = new Set(["docs", "health", "live", "metrics", "openapi.json"])

/** How much of a path is literally there. */
const likeness = (pattern: Segments, segments: Segments): number => {
  let same = 0
  for (const [at, segment] of pattern.entries()) {
    if (segment === segments[at]) same++
    else if (!segment.startsWith(":")) return -1
  }
  return same
}

/** `/v2/crawl/:id`, or `other`. */
export const routeOf = (method: string, url: string): string => {
  const at = url.search(/[?#]/)
  const segments = segmentsOf(at === -1 ? url : url.slice(0, at))
  let best: string | undefined
  let most = -1
  for (const { path, segments: pattern } of routes.get(place(method, segments)) ?? []) {
    const same = likeness(pattern, segments)
    if (same > most) {
      most = same
      best = path
    }
  }
  const first = segments[0] ?? ""
  return best ?? (others.has(first) ? `/${first}` : "other")
}

/** Words that a method may be; others could be many. */
const methods: ReadonlySet<string> = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"])

export const methodOf = (method: string): string => (methods.has(method) ? method : "other")
