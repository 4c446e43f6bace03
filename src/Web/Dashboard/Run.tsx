/** Screen of one run: its state and numbers, its actions, and its tabs. */
import { useEffect, useRef, useState } from "preact/hooks"
import { type Fetched, getJson, newKey, postJson, type RequestError, useFetch } from "./Api.ts"
import { Health } from "./Bands.tsx"
import { Back, Banner, Confirm, Empty, ErrorBanner, Fact, Loaded, LongText, Scroll, Tabs } from "./Components.tsx"
import { useEvent, useGap, useNow } from "./EventStream.ts"
import { Flow } from "./Flow.tsx"
import { count, many, moment, relative, size, span } from "./Format.ts"
import { Outputs } from "./Outputs.tsx"
import { RunPages } from "./Pages.tsx"
import { type Launched, paths, type Resume } from "./Protocol.ts"
import { Rejects } from "./Rejects.tsx"
import { go, type Route, to } from "./Route.ts"
import {
  type Definition as DefinitionText,
  type Log as LogPart,
  lively,
  type RunDetail,
  type StepCount
} from "./RunProtocol.ts"
import { durationOf, RunTable } from "./Runs.tsx"
import { Icon, lookOf, State } from "./Signs.tsx"

const Facts = ({ run }: { readonly run: RunDetail }) => {
  const isLive = lively.includes(run.state)
  const now = useNow(isLive)
  const { expected, pages, read } = run.progress
  const bytes = run.outputs.length === 0 ? run.progress.bytes : run.outputs.reduce((sum, { bytes }) => sum + bytes, 0)
  return (
    <>
      <dl class="facts">
        {(run.written ?? [{ step: "", name: "", rows: run.rows }]).map(({ name, rows, step }) => (
          <Fact key={step} name={`${rows === 1 ? "row" : "rows"}${name === "" ? "" : ` in ${name}`}`}>
            {count(rows)}
          </Fact>
        ))}
        <Fact
          name={run.openRejects < run.rejects ? `rejects, ${count(run.openRejects)} open` : "rejects"}
          tone={run.rejects > 0 ? "bad" : undefined}
        >
          {run.rejects > 0 ? <a href={to(["runs", run.id, "rejects"])}>{count(run.rejects)}</a> : "0"}
        </Fact>
        <Fact name={run.unpriced > 0 ? `credits, and ${many(run.unpriced, "call")} of unknown price` : "credits"}>
          {count(run.credits)}
        </Fact>
        {pages > 0 && <Fact name="pages">{count(pages)}</Fact>}
        {bytes !== undefined && <Fact name="in the outputs">{size(bytes)}</Fact>}
        <Fact name="duration">{span(durationOf(run, now))}</Fact>
        <Fact name="started" title={moment(run.startedAt)}>
          {relative(run.startedAt, now)}
        </Fact>
      </dl>
      {isLive && expected > 0 && (
        <div class="progress">
          <progress max={expected} value={Math.min(read, expected)} aria-label="Rows read of the expected rows" />
          <span>
            {count(read)} of {count(expected)} read
          </span>
        </div>
      )}
    </>
  )
}

const TriggerText = ({ run: { replayOf, scheduledFor, trigger } }: { readonly run: RunDetail }) => {
  if (replayOf !== undefined) {
    return (
      <>
        Replays the rejects of <a href={to(["runs", replayOf])}>{replayOf}</a>.
      </>
    )
  }
  if (scheduledFor === undefined) return <>Started directly, not by a schedule.</>
  const attempt = (trigger.attempt ?? 1) > 1 ? `, attempt ${trigger.attempt}` : ""
  return (
    <>
      Started {trigger.kind === "hand" ? "manually" : "by the schedule"} for {moment(scheduledFor)}
      {attempt}.
    </>
  )
}

/** Tabs of a run; one that it has no data for is shown only if it is chosen. */
const tabsOf = (run: RunDetail, chosen: string): ReadonlyArray<readonly [name: string, title: string]> => {
  const tabs: ReadonlyArray<readonly [name: string, title: string, hasData: boolean]> = [
    ["flow", "Flow", true],
    ...(run.isGroup ? [["shards", "Shards", true] as const] : []),
    ["rejects", `Rejects ${count(run.rejects)}`, run.rejects > 0],
    ["outputs", `Outputs ${count(run.outputs.length)}`, run.outputs.length > 0],
    ["pages", "Pages", run.progress.pages > 0 || run.isGroup],
    ["log", "Log", run.hasLog],
    ["definition", "Definition", true]
  ]
  return tabs.flatMap(([name, title, hasData]) => (hasData || name === chosen ? [[name, title] as const] : []))
}

const contentOf = (tab: string, run: RunDetail, route: Route) => {
  switch (tab) {
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
  const tab = route.path[2] ?? "flow"
  const { value } = asked
  useEffect(() => {
    if (value !== undefined) document.title = `${lookOf(value.state).word}: ${value.pipeline} · Sluice`
  }, [value])
  return (
    <section class="screen">
      <Back href={to(["runs"])}>Runs</Back>
      <Loaded asked={asked}>
        {(run) => (
          <>
            <div class="top">
              <h1>
                <a href={to(["pipelines", run.pipeline])} title="About this pipeline">
                  {run.pipeline}
                </a>{" "}
                <State state={run.state} />
              </h1>
              <span class="id">{run.id}</span>
              <Actions run={run} again={asked.again} />
            </div>
            {run.why !== undefined && !run.isHeld && (
              <Banner>
                <LongText text={run.why} limit={600} />
              </Banner>
            )}
            <p class="dim">
              <TriggerText run={run} />
            </p>
            {run.isHeld && <Decision run={run} again={asked.again} />}
            <Health run={run} />
            <Facts run={run} />
            <Tabs label="Parts of the run" path={["runs", run.id]} chosen={tab} tabs={tabsOf(run, tab)} />
            {contentOf(tab, run, route)}
          </>
        )}
      </Loaded>
    </section>
  )
}

const maxNews = 200

/** Merges the counts of an event into those of the last response, because events omit counts that seldom change. */
const mergeCounts = (before: ReadonlyArray<StepCount>, after: ReadonlyArray<StepCount>): ReadonlyArray<StepCount> => {
  const known = new Map(before.map((step) => [step.step, step]))
  return after.map((step) => ({ ...known.get(step.step), ...step }))
}

/** The run, kept up to date by events. */
const useRun = (id: string): Fetched<RunDetail> => {
  const asked = useFetch<RunDetail>(paths.run, { id })
  const { again, change, value } = asked
  const state = useRef<string | undefined>(undefined)
  state.current = value?.state
  useEvent("hello", () => again())
  useEvent("runs", ({ runs }) => {
    const line = runs.find((each) => each.id === id)
    if (line === undefined) return
    change((run) => ({ ...run, ...line, openRejects: run.openRejects + line.rejects - run.rejects }))
    // A new state also changes the possible actions and the outputs, and only a full response contains these.
    if (line.state !== state.current) again()
  })
  useEvent("progress", ({ budget, news, progress, run }) => {
    if (run !== id) return
    change((before) => {
      const known = new Set(before.news.map((each) => `${each.at} ${each.text}`))
      return {
        ...before,
        progress: { ...progress, steps: mergeCounts(before.progress.steps, progress.steps) },
        budget,
        news: [...before.news, ...news.filter((each) => !known.has(`${each.at} ${each.text}`))].slice(-maxNews)
      }
    })
  })
  return asked
}

const Actions = ({ again, run }: { readonly run: RunDetail; readonly again: () => void }) => {
  const isWhole = run.replay === "pages"
  const [isCurrent, setCurrent] = useState(false)
  const key = useRef<string | undefined>(undefined)
  // Once the run has changed, the same action is a new request, with a new idempotency key.
  useEffect(() => {
    key.current = undefined
  }, [run.state, run.openRejects])
  const launch = (path: string, body: Resume) => () => {
    key.current ??= newKey()
    return postJson<Launched>(path, { id: run.id }, body, key.current).then(({ run: next }) => {
      key.current = undefined
      go(["runs", next])
      // A resumed run keeps its id, so the screen has to be reloaded.
      again()
    })
  }
  return (
    <div class="actions">
      {run.canStop && (
        <Confirm
          title="Stop this run?"
          yes="Stop"
          label="Stop"
          act={() => postJson(paths.stop, { id: run.id }).then(again)}
        >
          {run.isGroup ? (
            <p>
              Workers checkpoint and return their shards. <code>sluice resume</code> continues there.
            </p>
          ) : (
            <p>
              The run checkpoints, closes its files, and can be resumed. In another process this may take some seconds.
            </p>
          )}
        </Confirm>
      )}
      {run.canResume && (
        <Confirm
          title="Resume this run?"
          yes="Resume"
          label="Resume"
          isMain
          act={launch(paths.resume, isCurrent ? { withCurrent: true } : {})}
        >
          <p>The run continues from its last checkpoint. You never pay for the same call twice.</p>
          <label class="check">
            <input type="checkbox" checked={isCurrent} onChange={(event) => setCurrent(event.currentTarget.checked)} />{" "}
            Use the current definition
          </label>
        </Confirm>
      )}
      {run.canDiscard && !run.isHeld && <Discard run={run} again={again} />}
      {run.replay !== undefined && (
        <Confirm
          title={isWhole ? "Run all of it again?" : `Replay ${many(run.openRejects, "rejected row")}?`}
          yes="Replay"
          label={
            <>
              <Icon name="replay" size={16} /> {isWhole ? "Run again" : `Replay ${many(run.openRejects, "reject")}`}
            </>
          }
          act={launch(paths.replay, {})}
        >
          <p>
            {isWhole
              ? "This run has failed, so none of its rows are published. It is discarded, and a new one reads all of its pages again; those that are stored need no request."
              : "A new run processes all open rejects of this one, each from the step that rejected it, and appends to the outputs."}{" "}
            Its calls are charged as usual.
          </p>
        </Confirm>
      )}
    </div>
  )
}

/** Buttons that publish or discard held outputs. They stay visible while scrolling. */
const Decision = ({ again, run }: { readonly run: RunDetail; readonly again: () => void }) => {
  const key = useRef<string | undefined>(undefined)
  const publish = () => {
    key.current ??= newKey()
    return postJson<Launched>(paths.publish, { id: run.id }, {}, key.current).then(again)
  }
  return (
    <div class="actions decision">
      <Confirm title="Publish these outputs?" yes="Publish" label="Publish" isMain act={publish}>
        <p>
          The files get their final names, and the state of the run takes effect. What this run wrote becomes the new
          normal for later runs.
        </p>
      </Confirm>
      {run.canDiscard && <Discard run={run} again={again} />}
    </div>
  )
}

const Discard = ({ again, run }: { readonly run: RunDetail; readonly again: () => void }) => (
  <Confirm
    title={run.isHeld ? "Discard these outputs?" : "Discard what this run has written?"}
    yes="Discard"
    label="Discard"
    act={() => postJson(paths.discard, { id: run.id }).then(again)}
  >
    <p>
      What the run wrote is deleted{run.isHeld ? "" : ", and it can no longer be resumed"}. Published outputs stay as
      they are, and the next run reads the rows again. This cannot be undone.
    </p>
  </Confirm>
)

const Definition = ({ run }: { readonly run: RunDetail }) => {
  const asked = useFetch<DefinitionText>(paths.definition, { id: run.id })
  return (
    <Loaded asked={asked}>
      {({ file, text }) => (
        <>
          <p class="dim">
            <code>{file}</code>, as of the start of the run
          </p>
          <Scroll label="Definition">
            <pre>{text}</pre>
          </Scroll>
        </>
      )}
    </Loaded>
  )
}

/** Maximum characters of the log on the page. */
const maxCharacters = 500_000

const LogText = ({ id }: { readonly id: string }) => {
  const [text, setText] = useState<string>()
  const [refusal, setRefusal] = useState<RequestError>()
  const next = useRef<number | undefined>(undefined)
  const isAsking = useRef(false)
  const isWanted = useRef(false)
  const place = useRef<HTMLPreElement>(null)
  const isAtEnd = useRef(true)

  const more = () => {
    isWanted.current = isAsking.current
    if (isAsking.current) return
    isAsking.current = true
    getJson<LogPart>(paths.log, { id, after: next.current })
      .then(
        (part) => {
          next.current = part.next
          if (part.isMore) isWanted.current = true
          setRefusal(undefined)
          setText((before = "") => `${before}${part.text}`.slice(-maxCharacters))
        },
        (failure: RequestError) => setRefusal(failure)
      )
      .finally(() => {
        isAsking.current = false
        if (isWanted.current) more()
      })
  }
  useEffect(more, [])
  useGap(more)
  useEvent("progress", ({ run }) => run === id && more())
  useEvent("runs", ({ runs }) => runs.some((line) => line.id === id) && more())
  useEffect(() => {
    const element = place.current
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight
  }, [text])

  return (
    <>
      {refusal !== undefined && <ErrorBanner refusal={refusal} again={more} />}
      <pre
        ref={place}
        class="log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that arrow keys scroll it
        tabIndex={0}
        role="log"
        aria-label="Log"
        onScroll={({ currentTarget }) => {
          isAtEnd.current = currentTarget.scrollTop + currentTarget.clientHeight > currentTarget.scrollHeight - 30
        }}
      >
        {text ?? "Loading …"}
      </pre>
    </>
  )
}

const Log = ({ run }: { readonly run: RunDetail }) =>
  run.hasLog ? (
    <LogText id={run.id} />
  ) : (
    <Empty title="No log">
      <p>Runs of earlier versions have no log, and neither has a run that has not begun.</p>
    </Empty>
  )
