/** One run: how it stands, what can be done about it, and its parts. */
import { useEffect } from "preact/hooks"
import { Definition } from "./Definition.tsx"
import { useNow } from "./Feed.ts"
import { Flow } from "./Flow.tsx"
import { away, count, many, moment, size, span } from "./Format.ts"
import { Icon } from "./Icon.tsx"
import { Log } from "./Log.tsx"
import { Outputs } from "./Outputs.tsx"
import { lively, type RunDetail } from "./Protocol/Runs.ts"
import { Rejects } from "./Rejects.tsx"
import { type Route, to } from "./Route.ts"
import { Deeds } from "./RunDeeds.tsx"
import { useRun } from "./RunNow.ts"
import { RunPages } from "./RunPages.tsx"
import { RunTable, tookOf } from "./Runs.tsx"
import { Fact, Shown } from "./Shown.tsx"
import { lookOf, State } from "./State.tsx"
import { Long } from "./Value.tsx"

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

const partOf = (part: string, run: RunDetail, route: Route) => {
  switch (part) {
    case "shards":
      return <RunTable filter={{ group: run.id }} label="Shards of the run" />
    case "rejects":
      return <Rejects run={run} route={route} />
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
  const { value } = asked
  useEffect(() => {
    if (value !== undefined) document.title = `${lookOf(value.state).word}: ${value.pipeline} · Sluice`
  }, [value])
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
            {partOf(part, run, route)}
          </>
        )}
      </Shown>
    </section>
  )
}
