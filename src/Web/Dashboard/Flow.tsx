/** Tab "Flow" of a run: graph, budget, events, inputs, timeline, and the counts of each step. */

import { LongText, Pairs, Table, Value } from "./Components.tsx"
import { clock, count, moment, percent, rate, size, span } from "./Format.ts"
import { bufferOf, Graph } from "./Graph.tsx"
import { to } from "./Route.ts"
import { type BudgetUse, lively, type News, type RunDetail } from "./RunProtocol.ts"

const amount = (name: BudgetUse["name"], value: number): string =>
  name === "bytes" ? size(value) : name === "duration" ? span(value) : count(value)

const toneOf = (share: number): string => (share >= 1 ? "bad" : share >= 0.8 ? "warn" : "good")

const Budget = ({ budget }: { readonly budget: ReadonlyArray<BudgetUse> }) => (
  <section class="card">
    <h2>Budget</h2>
    <ul class="budget">
      {budget.map(({ limit, name, per, used }) => (
        <li key={`${name} ${per}`} data-tone={toneOf(used / limit)}>
          <span>
            {name} {per === "day" && <small>all runs today</small>}
          </span>
          <span class="number">
            {amount(name, used)} of {amount(name, limit)} <small>{percent(used / limit)}</small>
          </span>
          <meter
            min={0}
            max={limit}
            low={limit * 0.8}
            high={limit * 0.999}
            optimum={0}
            value={Math.min(used, limit)}
            aria-label={`${name} per ${per}`}
          />
        </li>
      ))}
    </ul>
  </section>
)

const symbols: Readonly<Record<News["kind"], string>> = { began: "▸", reject: "✕", page: "!", ended: "■" }

const Events = ({ news, run }: { readonly news: ReadonlyArray<News>; readonly run: string }) => (
  <section class="card">
    <h2>Events</h2>
    {news.length === 0 && <p class="dim">No events yet.</p>}
    <ol class="news" aria-live="polite">
      {news.toReversed().map(({ at, kind, step, text }, index) => (
        <li key={`${at} ${text} ${news.length - index}`} data-kind={kind}>
          <time title={moment(at)}>{clock(at)}</time>
          <span aria-hidden="true">{symbols[kind]}</span>
          <span>
            {step !== undefined &&
              (kind === "reject" ? <a href={to(["runs", run, "rejects"], { step })}>{step}</a> : <b>{step}</b>)}{" "}
            <LongText text={text} limit={180} />
          </span>
        </li>
      ))}
    </ol>
  </section>
)

const Settings = ({ run }: { readonly run: RunDetail }) => {
  const { backfill, file, inputs, limit, out, scheduledFor, stateKey } = run
  const facts: ReadonlyArray<readonly [string, unknown]> = [
    ...Object.entries(inputs),
    ["definition", file],
    ["output folder", out],
    ...(stateKey === undefined ? [] : [["state", stateKey] as const]),
    ...(limit === undefined ? [] : [["--limit", limit] as const]),
    ...(backfill === true ? [["--backfill", true] as const] : []),
    ...(scheduledFor === undefined ? [] : [["scheduled for", moment(scheduledFor)] as const])
  ]
  return (
    <section class="card">
      <h2>Inputs and settings</h2>
      <Pairs pairs={facts.map(([name, value]) => [name, <Value key={name} value={value} />])} />
    </section>
  )
}

const Steps = ({ run }: { readonly run: RunDetail }) => {
  const isLive = lively.includes(run.state)
  const figure = (value: number | undefined) => (value === undefined ? "" : count(value))
  return (
    <section class="card">
      <h2>Steps</h2>
      <Table
        label="Counts of the steps"
        class="figures"
        columns={["Step", "In", "Out", "Rejects", "Rate", "Buffer", "Pages", "Failed", "Calls", "Credits"]}
      >
        {run.progress.steps.map((step) => (
          <tr key={step.step}>
            <th scope="row">{step.step}</th>
            <td>{count(step.in)}</td>
            <td>{count(step.out)}</td>
            <td>
              {step.rejects === 0 ? (
                "0"
              ) : (
                <a class="rejected" href={to(["runs", run.id, "rejects"], { step: step.step })}>
                  {count(step.rejects)}
                </a>
              )}
            </td>
            <td>{isLive && step.rate !== undefined ? rate(step.rate) : ""}</td>
            <td>{isLive ? bufferOf(step) : ""}</td>
            <td>{figure(step.pages)}</td>
            <td>{figure(step.failedPages)}</td>
            <td>{figure(step.calls)}</td>
            <td>{figure(step.credits)}</td>
          </tr>
        ))}
      </Table>
      {run.progress.notFollowed === undefined ? null : <p class="dim">{run.progress.notFollowed}</p>}
    </section>
  )
}

/**
 * Word, tone and height for each activity, by its letter in the timeline. Words and heights differ, so that nothing depends on colour
 * alone.
 */
const activities = {
  w: { word: "working", tone: "busy", height: 18 },
  r: { word: "retrying", tone: "warn", height: 12 },
  b: { word: "blocked", tone: "bad", height: 7 },
  ".": { word: "waiting", tone: "still", height: 2 }
} as const

/** Legend for times without a bar. */
const noBar = "no bar: not started, ended, or the run was stopped"

type Activity = keyof typeof activities

const isActivity = (letter: string): letter is Activity => Object.hasOwn(activities, letter)

interface Stretch {
  readonly activity: Activity
  readonly from: number
  readonly slots: number
}

/** Merges successive slots with the same activity. Leaves out waiting at the end of an ended run: the step had already ended. */
const stretchesOf = (states: string, isLive: boolean): ReadonlyArray<Stretch> => {
  const stretches: Array<Stretch> = []
  const shown = isLive ? states : states.replace(/[. ]+$/, "")
  for (const { 0: letters, index } of shown.matchAll(/(.)\1*/g)) {
    const activity = letters[0] ?? ""
    if (isActivity(activity)) stretches.push({ activity, from: index, slots: letters.length })
  }
  return stretches
}

const shareOf = (stretches: ReadonlyArray<Stretch>, wanted: Activity): string => {
  const slots = (all: ReadonlyArray<Stretch>) => all.reduce((sum, each) => sum + each.slots, 0)
  const all = slots(stretches)
  return all === 0 ? "" : percent(slots(stretches.filter(({ activity }) => activity === wanted)) / all)
}

const bar = { width: 640, height: 20 }

const Timeline = ({ run }: { readonly run: RunDetail }) => {
  const { timeline } = run.progress
  const isLive = lively.includes(run.state)
  if (timeline === undefined) return null
  const slots = Math.max(1, ...Object.values(timeline.steps).map(({ length }) => length))
  const order = run.progress.steps.map(({ step }) => step)
  const steps = order.filter((step) => Object.hasOwn(timeline.steps, step))
  const letters = Object.keys(activities).filter(isActivity)
  const files = new Map(run.written?.map(({ name, step }) => [step, name]))
  return (
    <section class="card">
      <h2>
        Timeline <small>{span(slots * timeline.every)} of work</small>
      </h2>
      <p class="legend">
        {letters.map((letter) => (
          <span key={letter}>
            <svg viewBox="0 0 18 20" width="18" height="20" aria-hidden="true">
              <rect
                data-tone={activities[letter].tone}
                y={bar.height - activities[letter].height - 1}
                width="18"
                height={activities[letter].height}
              />
            </svg>{" "}
            {activities[letter].word}
          </span>
        ))}
        <span>{noBar}</span>
      </p>
      <Table
        label="Activity of the steps over time"
        class="timeline"
        columns={["Step", "Over time", ...letters.map((letter) => activities[letter].word)]}
      >
        {steps.map((step) => {
          const stretches = stretchesOf(timeline.steps[step] ?? "", isLive)
          return (
            <tr key={step}>
              <th scope="row" title={step}>
                {files.get(step) ?? step}
              </th>
              <td>
                <svg viewBox={`0 0 ${bar.width} ${bar.height}`} preserveAspectRatio="none" aria-hidden="true">
                  {stretches.map(({ activity, from, slots: length }) => {
                    const { height, tone, word } = activities[activity]
                    const [begin, end] = [from * timeline.every, (from + length) * timeline.every]
                    return (
                      <rect
                        key={from}
                        data-tone={tone}
                        x={(bar.width * from) / slots}
                        y={bar.height - height - 1}
                        width={(bar.width * length) / slots}
                        height={height}
                      >
                        <title>{`${word}: ${span(begin)} to ${span(end)}`}</title>
                      </rect>
                    )
                  })}
                </svg>
              </td>
              {letters.map((letter) => (
                <td key={letter} class="number">
                  {shareOf(stretches, letter)}
                </td>
              ))}
            </tr>
          )
        })}
      </Table>
    </section>
  )
}

export const Flow = ({ run }: { readonly run: RunDetail }) => (
  <div class="flow">
    <div class="picture">
      {run.graph === null ? (
        <p class="dim">There is no graph, because the definition of the run cannot be read.</p>
      ) : (
        <Graph run={run.id} graph={run.graph} steps={run.progress.steps} isLive={lively.includes(run.state)} />
      )}
    </div>
    <div class="beside">
      {run.budget.length > 0 && <Budget budget={run.budget} />}
      <Events news={run.news} run={run.id} />
      <Settings run={run} />
    </div>
    <Timeline run={run} />
    <Steps run={run} />
  </div>
)
