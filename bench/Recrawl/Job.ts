/** Crawls of an engine that benchmarks have started, by HTTP. */
import { cpuOf, key } from "../Measure/Programs.ts"

const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }

export const json = async <A>(url: string, init: RequestInit = {}): Promise<A> =>
  (await (await fetch(url, { headers, ...init })).json()) as A

interface JobPage {
  readonly status: string
  readonly next?: string
  readonly completed: number
  readonly creditsUsed: number
  readonly data: ReadonlyArray<Shown>
}

/** A page as a crawl shows it. */
export interface Shown {
  readonly markdown?: string
  readonly metadata: { readonly url: string; readonly title?: string; readonly statusCode?: number }
}

export interface EngineProcess {
  readonly baseUrl: string
  readonly pid: number
}

export interface Ended {
  /** Its address. */
  readonly job: string
  /** Milliseconds of processor time of the engine. */
  readonly cpu: number
  readonly completed: number
  readonly credits: number
}

const revisit = JSON.stringify({ atLeast: 7 * 86_400_000, fullEvery: 10 })

const pause = (millis: number) => new Promise((done) => setTimeout(done, millis))

/** Crawls to the end. `leavesOut`: pages that have most likely not changed may be left out. */
export const crawlTo = async (
  { baseUrl, pid }: EngineProcess,
  body: Readonly<Record<string, unknown>>,
  leavesOut: boolean
): Promise<Ended> => {
  const begun = cpuOf(pid)
  const { id } = await json<{ readonly id: string }>(`${baseUrl}/v2/crawl`, {
    method: "POST",
    headers: { ...headers, ...(leavesOut ? { "x-sluice-revisit": revisit } : {}) },
    body: JSON.stringify(body)
  })
  const job = `${baseUrl}/v2/crawl/${id}`
  let last = await json<JobPage>(`${job}?limit=1`)
  while (last.status === "scraping") {
    await pause(500)
    last = await json<JobPage>(`${job}?limit=1`)
  }
  const cpu = cpuOf(pid) - begun
  if (last.status !== "completed")
    throw new Error(`the crawl ended with ${JSON.stringify({ ...last, data: undefined })}`)
  return { job, cpu, completed: last.completed, credits: last.creditsUsed }
}

/** All pages of a crawl that has ended. */
export async function* pagesOf(job: string): AsyncGenerator<Shown> {
  for (let next: string | undefined = `${job}?limit=1000`; next !== undefined; ) {
    const page: JobPage = await json(next)
    yield* page.data
    next = page.next
  }
}
