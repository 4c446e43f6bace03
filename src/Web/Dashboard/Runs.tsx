/** All runs: what goes on and what has become of them; the screen that one begins with. */
import { useMemo } from "preact/hooks"
import { useAsk } from "./Ask.ts"
import { useEvent, useNow } from "./Feed.ts"
import { away, count, many, moment, span } from "./Format.ts"
import { List } from "./List.tsx"
import type { About } from "./Protocol/About.ts"
import { lively, type RunLine, states } from "./Protocol/Runs.ts"
import { type Names, paths } from "./Protocol.ts"
import { go, narrow, type Route, to } from "./Route.ts"
import { type Filter, useRuns } from "./RunLines.ts"
import { Search } from "./Search.tsx"
import { Empty, Wrong } from "./Shown.tsx"
import { lookOf, State } from "./State.tsx"
import { Welcome } from "./Welcome.tsx"

const head = ["State", "Pipeline", "Started", "Took", "Rows", "Rejects", "Credits", "Note"]

const noteOf = ({ error, isGroup, replayOf, scheduledFor }: RunLine): string =>
  error ??
  (replayOf !== undefined
    ? `replays ${replayOf}`
    : isGroup
      ? "shared out"
      : scheduledFor !== undefined
        ? `for ${moment(scheduledFor)}`
        : "")

/** How long it took, or takes already. */
export const tookOf = (line: RunLine, now: number): number =>
  lively.includes(line.state) ? Math.max(line.duration, now - line.startedAt) : line.duration

const cellsOf = (line: RunLine, now: number) => [
  <State key="state" state={line.state} />,
  <>
    <a class="name" href={to(["runs", line.id])} tabIndex={-1}>
      {line.pipeline}
    </a>{" "}
    <span class="id">{line.id}</span>
  </>,
  <time key="started" title={moment(line.startedAt)} dateTime={new Date(line.startedAt).toISOString()}>
    {away(line.startedAt, now)}
  </time>,
  span(tookOf(line, now)),
  count(line.rows),
  line.rejects === 0 ? (
    <span class="none">0</span>
  ) : (
    <a class="rejected" href={to(["runs", line.id, "rejects"])} tabIndex={-1} title="Why they were rejected">
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

/** The rows of a list of runs, with more of them as somebody scrolls. */
export const RunTable = ({ filter, label }: { readonly filter: Filter; readonly label: string }) => {
  const { again, hasMore, isKnown, lines, refusal, seen } = useRuns(filter)
  const now = useNow(true, lines.some(({ state }) => lively.includes(state)) ? 1_000 : 30_000)
  if (isKnown && lines.length === 0) return <Empty title="No run is like that">Another filter may find some.</Empty>
  return (
    <>
      {refusal !== undefined && <Wrong refusal={refusal} again={again} />}
      <List
        kind="runs"
        label={label}
        head={head}
        count={lines.length + (hasMore ? 20 : 0)}
        cells={(index) => {
          const line = lines[index]
          return line === undefined ? undefined : cellsOf(line, now)
        }}
        open={(index) => {
          const line = lines[index]
          if (line !== undefined) go(["runs", line.id])
        }}
        seen={seen}
      />
    </>
  )
}

export const Runs = ({ route }: { readonly route: Route }) => {
  const about = useAsk<About>(paths.about)
  const pipelines = useAsk<Names>(paths.pipelines)
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
  return (
    <section class="screen fill">
      <div class="top">
        <h1>
          Runs <small>{total === undefined ? "" : count(total)}</small>
        </h1>
        <div class="filters">
          <Search label="Search runs" value={text ?? ""} change={(next) => narrow(route, { text: next })} />
          <label>
            <span class="unseen">Pipeline</span>
            <select value={pipeline ?? ""} onChange={(event) => narrow(route, { pipeline: event.currentTarget.value })}>
              <option value="">All pipelines</option>
              {[...new Set([...(pipelines.value?.names ?? []), ...(pipeline === undefined ? [] : [pipeline])])].map(
                (name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                )
              )}
            </select>
          </label>
          <label>
            <span class="unseen">State</span>
            <select value={state ?? ""} onChange={(event) => narrow(route, { state: event.currentTarget.value })}>
              <option value="">Any state</option>
              {states.map((each) => (
                <option key={each} value={each}>
                  {lookOf(each).word}
                </option>
              ))}
            </select>
          </label>
        </div>
      </div>
      <RunTable filter={filter} label="Runs, newest first" />
    </section>
  )
}
