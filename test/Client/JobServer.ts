/** A status endpoint that misbehaves in the ways real ones do, in memory; and what a job stream makes of it. */
import type { Answer, Reply } from "./Fake.ts"

export const id = "7b6f3c1e-8f6b-4b1a-9d56-0123456789ab"

export const documentOf = (index: number) => ({
  markdown: `# Page ${index}`,
  metadata: { sourceURL: `https://docs.example.com/${index}`, statusCode: 200 }
})

/** `skip`: honours positions. `all`: ignores them and sends everything. `opaque`: its `next` names no position. */
type Kind = "skip" | "all" | "opaque"

export interface Plan {
  readonly kind: Kind
  readonly documents: number
  readonly pageSize: number
  /** Number of further documents at each request; after the last entry, all documents are there. */
  readonly growth: ReadonlyArray<number>
  /** Documents that a page repeats from before the position it was asked for. */
  readonly overlap: number
  /** `next` points to the page itself instead of onwards, at these requests. */
  readonly loops: ReadonlyArray<boolean>
  /** These requests fail before they are answered well. */
  readonly faults: ReadonlyArray<"cut" | "half" | 500 | 503 | undefined>
  /** At these requests the counts are lower than they were. */
  readonly shrinks: ReadonlyArray<boolean>
  /** While the job runs, `next` is there even when nothing new is. */
  readonly endless: boolean
  readonly running: string
  readonly end: "completed" | "failed" | "cancelled"
}

const at = <A>(list: ReadonlyArray<A>, index: number): A | undefined => list[index % Math.max(1, list.length)]

export const jobServer = (plan: Plan, baseUrl: string) => {
  let request = 0
  let available = 0
  const asked: Array<string> = []

  const answer = (url: URL): Answer => {
    const number = request++
    asked.push(url.pathname + url.search)
    if (number > 1000) return { status: 401, body: { error: "a reader that never ends" } }
    const fault = number % 2 === 1 ? at(plan.faults, number) : undefined
    if (fault === "cut") return "cut"
    if (typeof fault === "number") return { status: fault, body: { success: false, error: "busy" } }

    available = number < plan.growth.length ? available + (plan.growth[number] ?? 0) : plan.documents
    available = Math.min(available, plan.documents)
    const isOver = number >= plan.growth.length

    const cursor = Number(atob(url.searchParams.get("cursor") ?? "MA=="))
    const asks = plan.kind === "skip" ? Number(url.searchParams.get("skip") ?? 0) : plan.kind === "opaque" ? cursor : 0
    const begin = Math.max(0, asks - plan.overlap)
    const size = plan.kind === "all" ? plan.documents : plan.pageSize + (asks - begin)
    const data = Array.from({ length: Math.max(0, Math.min(size, available - begin)) }, (_, index) =>
      documentOf(begin + index)
    )
    const reached = begin + data.length
    const onwards = at(plan.loops, number) === true && !isOver ? asks : reached
    const address =
      plan.kind === "opaque" ? `cursor=${btoa(String(onwards))}` : `skip=${onwards}&limit=${plan.pageSize}`
    const hasNext = plan.kind === "all" ? plan.endless && !isOver : reached < available || (plan.endless && !isOver)
    const shrunk = at(plan.shrinks, number) === true ? 1 : 0
    const body = {
      success: true,
      status: isOver ? plan.end : plan.running,
      total: Math.max(0, plan.documents - shrunk),
      completed: Math.max(0, available - shrunk),
      creditsUsed: available,
      expiresAt: "2030-01-01T00:00:00Z",
      ...(hasNext ? { next: `${baseUrl}/v2/batch/scrape/${id}?${address}` } : {}),
      ...(data.length === 0 ? {} : { data })
    }
    const text = JSON.stringify(body)
    return { body: fault === "half" ? text.slice(0, text.length / 2) : text } satisfies Reply
  }
  return { answer, asked }
}
