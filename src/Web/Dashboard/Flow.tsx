/** Tab "Flow" of a run: graph, budget, events, inputs, and the counts of each step. */

import { LongText, Scroll, TableHead, Value } from "./Components.tsx"
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
      <dl class="pairs">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Value value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const Steps = ({ run }: { readonly run: RunDetail }) => {
  const isLive = lively.includes(run.state)
  const figure = (value: number | undefined) => (value === undefined ? "" : count(value))
  return (
    <section class="card">
      <h2>Steps</h2>
      <Scroll label="Counts of the steps">
        <table class="figures">
          <TableHead
            columns={["Step", "In", "Out", "Rejects", "Rate", "Buffer", "Pages", "Failed", "Calls", "Credits"]}
          />
          <tbody>
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
          </tbody>
        </table>
      </Scroll>
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
    <Steps run={run} />
  </div>
)
