/** Screen about the dashboard: version, storage, screens, and the legend of states. */
import { occurrenceStatuses } from "../../Schedule/OccurrenceStatus.ts"
import { useFetch } from "./Api.ts"
import { Loaded } from "./Components.tsx"
import { useNow } from "./EventStream.ts"
import { count, moment, size, span } from "./Format.ts"
import { type About as AboutIt, paths } from "./Protocol.ts"
import { to } from "./Route.ts"
import { states } from "./RunProtocol.ts"
import { lookOf, State } from "./Signs.tsx"

const screens: ReadonlyArray<readonly [path: string, title: string, what: string]> = [
  ["runs", "Runs", "running and finished runs, each with its steps, rejects, outputs, pages and log"],
  ["schedules", "Schedules", "when pipelines run, day by day"],
  ["pages", "Pages", "every page that a run has requested, and how it changed"],
  ["usage", "Usage", "credits by month, by pipeline and by API key"],
  ["active", "Active", "jobs and browser sessions of the service, with a live view"],
  ["start", "Run a pipeline", "a form for the inputs of a pipeline"]
]

const Facts = ({ about }: { readonly about: AboutIt }) => {
  const now = useNow(true, 30_000)
  const facts: ReadonlyArray<readonly [string, string | undefined]> = [
    ["Version", about.version],
    ["Ledger", `${about.ledger}${about.ledgerBytes === undefined ? "" : `, ${size(about.ledgerBytes)}`}`],
    ["Runs in the ledger", count(about.runs)],
    ["Data folder", about.dataDir],
    ["Definitions", about.definitions ?? "none: start the dashboard with --pipelines"],
    ["Service", about.engine ?? "not connected"],
    ["Up since", `${moment(about.startedAt)}, ${span(now - about.startedAt)}`],
    ["Platform", `Node ${about.node.replace(/^v/, "")}, ${about.platform}`]
  ]
  return (
    <dl class="pairs">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export const About = () => {
  const about = useFetch<AboutIt>(paths.about)
  return (
    <section class="screen text">
      <h1>About this dashboard</h1>
      <p class="lead">
        It shows the ledger that <code>sluice runs</code>, <code>show</code>, <code>replay</code> and{" "}
        <code>schedule</code> use. Times are in your time zone, months and daily budgets in UTC.
      </p>
      <Loaded asked={about}>{(value) => <Facts about={value} />}</Loaded>
      <h2>Screens</h2>
      <dl class="pairs">
        {screens.map(([path, title, what]) => (
          <div key={path}>
            <dt>
              <a href={to([path])}>{title}</a>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <h2>States</h2>
      <dl class="pairs">
        {[...new Set([...states, ...occurrenceStatuses, "due"])].map((state) => (
          <div key={state}>
            <dt>
              <State state={state} />
            </dt>
            <dd>{lookOf(state).meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
