/** One run: how it stands, what can be done about it, and its parts. */
import { useRef } from "preact/hooks"
import { type Asked, tell, useAsk } from "./Ask.ts"
import { Definition } from "./Definition.tsx"
import { useEvent, useNow } from "./Feed.ts"
import { Flow } from "./Flow.tsx"
import { away, count, many, moment, size, span } from "./Format.ts"
import { Confirm } from "./Help.tsx"
import { Icon } from "./Icon.tsx"
import { Log } from "./Log.tsx"
import { Outputs } from "./Outputs.tsx"
import { type Launched, lively, paths, type RunDetail, type StepCount } from "./Protocol.ts"
import { Rejects } from "./Rejects.tsx"
import { go, type Route, to } from "./Route.ts"
import { RunPages } from "./RunPages.tsx"
import { RunTable, tookOf } from "./Runs.tsx"
import { Fact, Shown } from "./Shown.tsx"
import { State } from "./State.tsx"
import { Long } from "./Value.tsx"

const newsAtMost = 200

/** Events leave out what changes seldom: it stays as it was told. */
const counted = (before: ReadonlyArray<StepCount>, after: ReadonlyArray<StepCount>): ReadonlyArray<StepCount> => {
  const known = new Map(before.map((step) => [step.step, step]))
  return after.map((step) => ({ ...known.get(step.step), ...step }))
}

/** The run, kept up to date by events. */
const useRun = (id: string): Asked<RunDetail> => {
  const asked = useAsk<RunDetail>(paths.run, { id })
  const { again, change, value } = asked
  const state = useRef<string | undefined>(undefined)
  state.current = value?.state
  useEvent("hello", again)
  useEvent("runs", ({ runs }) => {
    const line = runs.find((each) => each.id === id)
    if (line === undefined) return
    change((run) => ({ ...run, ...line }))
    // What can be done about it, and its outputs, come with its end.
    if (line.state !== state.current) again()
  })
  useEvent("progress", ({ budget, news, progress, run }) => {
    if (run !== id) return
    change((before) => {
      const said = new Set(before.news.map((each) => `${each.at} ${each.text}`))
      return {
        ...before,
        progress: { ...progress, steps: counted(before.progress.steps, progress.steps) },
        budget,
        news: [...before.news, ...news.filter((each) => !said.has(`${each.at} ${each.text}`))].slice(-newsAtMost)
      }
    })
  })
  return asked
}

const Deeds = ({ again, run }: { readonly run: RunDetail; readonly again: () => void }) => {
  const launch = (path: string) => () =>
    tell<Launched>(path, { id: run.id }).then(({ run: next }) => go(["runs", next]))
  return (
    <div class="deeds">
      {run.canStop && (
        <Confirm
          title="Stop this run?"
          yes="Stop it"
          label="Stop"
          act={() => tell(paths.stop, { id: run.id }).then(again)}
        >
          <p>It commits what it has, closes its files, and can be resumed.</p>
        </Confirm>
      )}
      {run.canResume && (
        <Confirm title="Resume this run?" yes="Resume it" label="Resume" isMain act={launch(paths.resume)}>
          <p>It goes on where its last commit was: what was paid for is not asked for again.</p>
        </Confirm>
      )}
      {run.canReplay && run.openRejects > 0 && (
        <Confirm
          title={`Replay ${many(run.openRejects, "rejected row")}?`}
          yes="Replay them"
          label={
            <>
              <Icon name="replay" size={16} /> Replay {many(run.openRejects, "reject")}
            </>
          }
          act={launch(paths.replay)}
        >
          <p>
            A new run takes up all open rejects of this one, each at the step that turned it away, and adds to the
            outputs. Calls that it makes cost what they cost.
          </p>
        </Confirm>
      )}
    </div>
  )
}

const Facts = ({ run }: { readonly run: RunDetail }) => {
  const isLive = lively.includes(run.state)
  const now = useNow(isLive)
  const { bytes, expected, pages, read } = run.progress
  return (
    <>
      <dl class="facts">
        <Fact name="rows">{count(run.rows)}</Fact>
        <Fact
          name={run.openRejects < run.rejects ? `rejects, ${count(run.openRejects)} open` : "rejects"}
          tone={run.rejects > 0 ? "bad" : undefined}
        >
          {run.rejects > 0 ? <a href={to(["runs", run.id, "rejects"])}>{count(run.rejects)}</a> : "0"}
        </Fact>
        <Fact name={run.unpriced > 0 ? `credits, and ${many(run.unpriced, "call")} of unknown price` : "credits"}>
          {count(run.credits)}
        </Fact>
        <Fact name="pages">{count(pages)}</Fact>
        {bytes !== undefined && <Fact name="written">{size(bytes)}</Fact>}
        <Fact name={isLive ? "so far" : "took"}>{span(tookOf(run, now))}</Fact>
        <Fact name="started" title={moment(run.startedAt)}>
          {away(run.startedAt, now)}
        </Fact>
      </dl>
      {isLive && expected > 0 && (
        <div class="progress">
          <progress max={expected} value={Math.min(read, expected)} aria-label="Rows read of those that are expected" />
          <span>
            {count(read)} of {count(expected)} read
          </span>
        </div>
      )}
    </>
  )
}

const parts = ["flow", "rejects", "outputs", "pages", "log", "definition"] as const

const Tabs = ({ part, run }: { readonly run: RunDetail; readonly part: string }) => {
  const titles: Readonly<Record<string, string>> = {
    flow: "Flow",
    shards: "Shards",
    rejects: `Rejects ${count(run.rejects)}`,
    outputs: `Outputs ${count(run.outputs.length)}`,
    pages: "Pages",
    log: "Log",
    definition: "Definition"
  }
  const shown = parts.flatMap((each) => (each === "flow" && run.isGroup ? [each, "shards"] : [each]))
  return (
    <nav class="tabs" aria-label="Parts of the run">
      {shown.map((each) => (
        <a
          key={each}
          href={to(each === "flow" ? ["runs", run.id] : ["runs", run.id, each])}
          aria-current={part === each ? "page" : undefined}
        >
          {titles[each]}
        </a>
      ))}
    </nav>
  )
}

const partOf = (part: string, run: RunDetail, route: Route, again: () => void) => {
  switch (part) {
    case "shards":
      return <RunTable filter={{ group: run.id }} label="Shards of the run" />
    case "rejects":
      return <Rejects run={run} route={route} again={again} />
    case "outputs":
      return <Outputs run={run} route={route} />
    case "pages":
      return <RunPages run={run.id} />
    case "log":
      return <Log run={run} />
    case "definition":
      return <Definition run={run} />
    default:
      return <Flow run={run} />
  }
}

export const Run = ({ id, route }: { readonly id: string; readonly route: Route }) => {
  const asked = useRun(id)
  const part = route.path[2] ?? "flow"
  return (
    <section class="screen">
      <p class="trail">
        <a href={to(["runs"])}>
          <Icon name="back" size={14} /> Runs
        </a>
      </p>
      <Shown asked={asked}>
        {(run) => (
          <>
            <div class="top">
              <h1>
                <a href={to(["runs"], { pipeline: run.pipeline })} title="All runs of this pipeline">
                  {run.pipeline}
                </a>{" "}
                <State state={run.state} />
              </h1>
              <span class="id">{run.id}</span>
              <Deeds run={run} again={asked.again} />
            </div>
            {run.why !== undefined && (
              <div class="banner" data-tone="bad">
                <Long text={run.why} limit={600} />
              </div>
            )}
            {run.replayOf !== undefined && (
              <p class="dim">
                Takes up the rejects of <a href={to(["runs", run.replayOf])}>{run.replayOf}</a>.
              </p>
            )}
            <Facts run={run} />
            <Tabs run={run} part={part} />
            {partOf(part, run, route, asked.again)}
          </>
        )}
      </Shown>
    </section>
  )
}
