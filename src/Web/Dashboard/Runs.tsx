/** Screen of all runs: the list, kept up to date by events, its filters, and the first steps for an empty ledger. */
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks"
import { describeRows } from "../../Row/Count.ts"
import { getJson, type RequestError, useFetch } from "./Api.ts"
import { Empty, ErrorBanner, Search, Select } from "./Components.tsx"
import { useEvent, useNow } from "./EventStream.ts"
import { count, many, moment, relative, span } from "./Format.ts"
import { List } from "./List.tsx"
import { type About, type Names, paths } from "./Protocol.ts"
import { go, type Route, setQuery, to } from "./Route.ts"
import { lively, type Next, type RunLine, type RunList, states } from "./RunProtocol.ts"
import { lookOf, State } from "./Signs.tsx"

const head = ["State", "Pipeline", "Started", "Duration", "Rows", "Rejects", "Credits", "Note"]

const noteOf = ({ error, isGroup, replayOf, scheduledFor, written = [] }: RunLine): string =>
  error ??
  (written.length > 1
    ? describeRows(written, 0)
    : replayOf !== undefined
      ? `replays ${replayOf}`
      : isGroup
        ? "on the cluster"
        : scheduledFor !== undefined
          ? `scheduled for ${moment(scheduledFor)}`
          : "")

/** Duration of a run; keeps counting while the run is active. */
export const durationOf = (line: RunLine, now: number): number =>
  lively.includes(line.state) ? Math.max(line.duration, now - line.startedAt) : line.duration

/** Rows of each output, with its file name if there are several. */
export const Rows = ({ line: { rows, written = [] } }: { readonly line: Pick<RunLine, "rows" | "written"> }) => {
  const [first, ...more] = written
  return (
    <span title={more.length === 0 ? undefined : describeRows(written, rows)}>
      {more.length === 0 ? count(first?.rows ?? rows) : written.map((each) => count(each.rows)).join(" · ")}
    </span>
  )
}

const cellsOf = (line: RunLine, now: number) => [
  <State key="state" state={line.state} />,
  <>
    <a class="name" href={to(["runs", line.id])} tabIndex={-1}>
      {line.pipeline}
    </a>{" "}
    <span class="id">{line.id}</span>
  </>,
  <time key="started" title={moment(line.startedAt)} dateTime={new Date(line.startedAt).toISOString()}>
    {relative(line.startedAt, now)}
  </time>,
  span(durationOf(line, now)),
  <Rows key="rows" line={line} />,
  line.rejects === 0 ? (
    <span class="none">0</span>
  ) : (
    <a class="rejected" href={to(["runs", line.id, "rejects"])} tabIndex={-1} title="Show the rejects">
      {count(line.rejects)}
    </a>
  ),
  <span key="credits" title={line.unpriced > 0 ? `and ${many(line.unpriced, "call")} of unknown price` : undefined}>
    {count(line.credits)}
    {line.unpriced > 0 && "+?"}
  </span>,
  <span key="note" class={line.error === undefined ? "note" : "note wrong"} title={noteOf(line)}>
    {noteOf(line)}
  </span>
]

/** List of runs that loads more while scrolling. */
export const RunTable = ({ filter, label }: { readonly filter: Filter; readonly label: string }) => {
  const { again, hasMore, isKnown, lines, refusal, seen } = useRuns(filter)
  const now = useNow(true, lines.some(({ state }) => lively.includes(state)) ? 1_000 : 30_000)
  if (isKnown && lines.length === 0) return <Empty title="No run matches" />
  return (
    <>
      {refusal !== undefined && <ErrorBanner refusal={refusal} again={again} />}
      <List
        kind="runs"
        label={label}
        head={head}
        rows={lines}
        more={hasMore ? 20 : 0}
        cells={(line) => cellsOf(line, now)}
        open={({ id }) => go(["runs", id])}
        seen={seen}
      />
    </>
  )
}

export const Runs = ({ route }: { readonly route: Route }) => {
  const about = useFetch<About>(paths.about)
  const pipelines = useFetch<Names>(paths.pipelines)
  const [pipeline, state, text] = ["pipeline", "state", "text"].map((name) => route.query.get(name) ?? undefined)
  const filter = useMemo(() => ({ pipeline, state, text }), [pipeline, state, text])
  const total = about.value?.runs
  useEvent("runs", ({ runs }) => {
    const names = pipelines.value?.names ?? []
    if (total === 0 || runs.some((line) => !names.includes(line.pipeline))) {
      about.again()
      pipelines.again()
    }
  })
  if (total === 0) return <Welcome about={about.value} />
  const names = new Set([...(pipelines.value?.names ?? []), ...(pipeline === undefined ? [] : [pipeline])])
  return (
    <section class="screen fill">
      <div class="top">
        <h1>
          Runs <small>{total === undefined ? "" : count(total)}</small>
        </h1>
        <div class="filters">
          <Search label="Search runs" value={text ?? ""} change={(next) => setQuery(route, { text: next })} />
          <Select
            label="Pipeline"
            value={pipeline ?? ""}
            choices={[["", "All pipelines"], ...Array.from(names, (name) => [name, name] as const)]}
            choose={(chosen) => setQuery(route, { pipeline: chosen })}
          />
          {pipeline !== undefined && <a href={to(["pipelines", pipeline])}>About {pipeline}</a>}
          <Select
            label="State"
            value={state ?? ""}
            choices={[["", "Any state"], ...states.map((each) => [each, lookOf(each).word] as const)]}
            choose={(chosen) => setQuery(route, { state: chosen })}
          />
        </div>
      </div>
      <RunTable filter={filter} label="Runs, newest first" />
    </section>
  )
}

interface Filter {
  readonly pipeline?: string | undefined
  readonly state?: string | undefined
  readonly text?: string | undefined
  readonly group?: string | undefined
}

interface Lines {
  readonly lines: ReadonlyArray<RunLine>
  /** Undefined until the first response. */
  readonly next: Next | undefined
  readonly refusal: RequestError | undefined
}

const linesPerRequest = 200

/** Merges runs, newest first; for the same run the later argument wins. */
const merge = (one: ReadonlyArray<RunLine>, other: ReadonlyArray<RunLine>): ReadonlyArray<RunLine> => {
  const byId = new Map([...one, ...other].map((line) => [line.id, line]))
  return [...byId.values()].sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1))
}

const fits = (line: RunLine, { pipeline, state }: Filter): boolean =>
  (pipeline === undefined || line.pipeline === pipeline) && (state === undefined || line.state === state)

/** Shards appear only in the list of their group. */
const isShard = ({ id }: RunLine): boolean => id.includes(".")

const useRuns = (filter: Filter) => {
  const { group, pipeline, state, text } = filter
  const [{ lines, next, refusal }, setLines] = useState<Lines>({ lines: [], next: undefined, refusal: undefined })
  const running = useRef<AbortController | undefined>(undefined)
  const isFetching = useRef(false)
  const later = useRef(0)

  const fetchFrom = useCallback(
    (after: string | undefined, limit: number) => {
      running.current?.abort()
      const control = new AbortController()
      running.current = control
      isFetching.current = true
      getJson<RunList>(paths.runs, { pipeline, state, text, group, after, limit }, control.signal)
        .then(
          (answer) =>
            setLines((before) => ({
              lines: after === undefined ? replaceTop(before, answer) : merge(before.lines, answer.runs),
              next: after === undefined && before.lines.length > answer.runs.length ? before.next : answer.next,
              refusal: undefined
            })),
          (failure: RequestError) => {
            if (failure.name !== "AbortError") setLines((before) => ({ ...before, refusal: failure }))
          }
        )
        .finally(() => {
          if (running.current === control) isFetching.current = false
        })
    },
    [pipeline, state, text, group]
  )
  const again = useCallback(() => fetchFrom(undefined, 50), [fetchFrom])

  useEffect(() => {
    setLines({ lines: [], next: undefined, refusal: undefined })
    again()
    return () => {
      running.current?.abort()
      clearTimeout(later.current)
    }
  }, [again])

  // Changes between the first response and the start of the event stream were never sent, so the list is loaded again.
  useEvent("hello", ({ isGap }) => {
    clearTimeout(later.current)
    later.current = window.setTimeout(again, isGap ? 0 : 400)
  })
  useEvent("runs", ({ runs }) => {
    const own =
      group === undefined ? runs.filter((line) => !isShard(line)) : runs.filter(({ id }) => id.startsWith(`${group}.`))
    if (own.length === 0) return
    setLines((before) => {
      const known = new Set(before.lines.map(({ id }) => id))
      // Only the server can tell whether a new run matches the text.
      if (text !== undefined && own.some(({ id }) => !known.has(id))) {
        clearTimeout(later.current)
        later.current = window.setTimeout(again, 1_000)
      }
      const matching = own.filter((line) => text === undefined || known.has(line.id))
      return { ...before, lines: merge(before.lines, matching).filter((line) => fits(line, { pipeline, state })) }
    })
  })
  useEvent("gone", ({ runs }) =>
    setLines((before) => ({ ...before, lines: before.lines.filter(({ id }) => !runs.includes(id)) }))
  )

  const seen = useCallback(
    (last: number) => {
      if (typeof next === "string" && !isFetching.current && last > lines.length - 40) fetchFrom(next, linesPerRequest)
    },
    [next, lines.length, fetchFrom]
  )
  return { lines, hasMore: typeof next === "string", isKnown: next !== undefined, refusal, again, seen }
}

/** Replaces the newest runs of the list with a new response; runs missing in it were deleted. */
const replaceTop = (before: Lines, { next, runs }: RunList): ReadonlyArray<RunLine> => {
  const oldest = runs.at(-1)
  if (next === null || oldest === undefined) return runs
  return merge(
    before.lines.filter(
      ({ id, startedAt }) => startedAt < oldest.startedAt || (startedAt === oldest.startedAt && id < oldest.id)
    ),
    runs
  )
}

const Welcome = ({ about }: { readonly about: About | undefined }) => (
  <section class="screen text">
    <h1>No runs yet</h1>
    <p class="lead">
      A pipeline defines which pages to read, how to process them, and where to write the rows. Each execution is a run.
      You watch runs here.
    </p>
    <ol class="steps">
      <li>
        <b>Start a run.</b>{" "}
        {about?.definitions == null ? (
          <>
            <code>npx sluice init</code> creates a project with a pipeline. Start this dashboard with its folder.
          </>
        ) : (
          <>
            <a href={to(["start"])}>Run a pipeline</a> of <code>{about.definitions}</code> with a form, or with{" "}
            <code>npx sluice run pipelines/quickstart.yaml</code> in a terminal: it appears here.
          </>
        )}
      </li>
      <li>
        <b>Watch it.</b> The graph shows the rows of each step, their rate, and where they wait.
      </li>
      <li>
        <b>See what failed.</b> A row that a step rejects is stored with its reason, and you can replay it.
      </li>
    </ol>
    <p class="dim">
      Runs are stored in the ledger {about === undefined ? "" : <code>{about.ledger}</code>}.{" "}
      <a href={to(["about"])}>More about this dashboard</a>
    </p>
  </section>
)
