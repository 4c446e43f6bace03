/** What a run has come to, step by step: out of what its last commit left in the ledger, read leniently. */
import type { Json } from "../Row.ts"
import type { Graph, Progress, StepCount } from "../Web/Dashboard/Protocol/Runs.ts"
import type { Pace } from "./Queries.ts"

type Numbers = Readonly<Record<string, unknown>>

const numbersOf = (value: unknown): Numbers =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Numbers) : {}

const numberOf = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0)

/** Rows that each step has given, as a commit says. */
const givenOf = (progress: Json): Numbers => numbersOf(numbersOf(progress).given)

/** How full a station is: `[held, room, busy, blocked]`; one that holds nothing is left out. */
const loadOf = (load: unknown): Pick<StepCount, "blocked" | "busy" | "held" | "room"> => {
  if (!Array.isArray(load)) return {}
  const [held, room, busy, blocked] = load as ReadonlyArray<unknown>
  return { held: numberOf(held), room: numberOf(room), busy: numberOf(busy), blocked: blocked === true }
}

/** Steps that announce the rows to come. */
const announcesRows = ({ announces, kind }: Graph["nodes"][number]): boolean => kind === "source" || announces === true

/** `rates` are rows per second, by step. */
export const progressOf = (
  { progress, updatedAt }: Pick<Pace, "progress" | "updatedAt">,
  graph: Graph | null,
  rates: ReadonlyMap<string, number> | undefined
): Progress => {
  const saved = numbersOf(progress)
  const given = givenOf(progress)
  const rejected = numbersOf(saved.rejected)
  const now = numbersOf(saved.now)
  const loads = numbersOf(now.loads)
  const ids = graph?.nodes.filter(({ kind }) => kind !== "value").map(({ id }) => id) ?? Object.keys(given)
  /** Rows that a step was given: those of all branches that it merges. */
  const rowsInto = (step: string): number =>
    (graph?.edges ?? []).reduce(
      (sum, { from, kind, to }) => (kind === "rows" && to === step ? sum + numberOf(given[from]) : sum),
      0
    )
  return {
    at: updatedAt,
    expected: numberOf(saved.expected),
    read: (graph?.nodes ?? []).filter(announcesRows).reduce((sum, { id }) => sum + numberOf(given[id]), 0),
    pages: numberOf(now.pages),
    bytes: numberOf(now.bytes),
    steps: ids.map((step) => ({
      step,
      in: rowsInto(step),
      out: numberOf(given[step]),
      rejects: numberOf(rejected[step]),
      rate: rates?.get(step),
      ...loadOf(loads[step])
    }))
  }
}

/** How a run stood at a moment. */
interface Moment {
  readonly at: number
  readonly given: Numbers
}

/** So far back rates look, and so long after its last commit a run is taken to be at rest. */
const back = 10_000

/** Rates of runs that are looked at again and again. */
export class Rates {
  readonly #moments = new Map<string, Array<Moment>>()

  /** Takes down how a run stands. */
  note({ id, progress, updatedAt }: Pace): void {
    const moments = this.#moments.get(id) ?? []
    if (moments.at(-1)?.at === updatedAt) return
    moments.push({ at: updatedAt, given: givenOf(progress) })
    while (moments.length > 2 && (moments[1]?.at ?? 0) < updatedAt - back) moments.shift()
    this.#moments.set(id, moments)
  }

  forget(id: string): void {
    this.#moments.delete(id)
  }

  /** Undefined until it can be told. */
  of(id: string, now: number): ReadonlyMap<string, number> | undefined {
    const moments = this.#moments.get(id)
    const [first] = moments ?? []
    const last = moments?.at(-1)
    if (first === undefined || last === undefined || first === last) return undefined
    const seconds = Math.max(last.at, now - back) - first.at
    return new Map(
      Object.keys(last.given).map((step) => {
        const rows = numberOf(last.given[step]) - numberOf(first.given[step])
        return [step, now - last.at > back || seconds <= 0 ? 0 : Math.max(0, (rows * 1000) / seconds)]
      })
    )
  }
}
