/** What this is, where it keeps things, and what its signs mean. */
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
  ["runs", "Runs", "what goes on and what has become of it; a run has its steps, rejects, outputs, pages and log"],
  ["schedules", "Schedules", "when pipelines run by themselves, day by day"],
  ["pages", "Pages", "every page that a run has asked for, and how it has changed"],
  ["usage", "Usage", "credits by month, by pipeline and by key"],
  ["active", "Active", "jobs and browser sessions of the service, with a live view"],
  ["start", "Run a pipeline", "a form with the inputs of a definition"]
]

const Facts = ({ about }: { readonly about: AboutIt }) => {
  const now = useNow(true, 30_000)
  const facts: ReadonlyArray<readonly [string, string | undefined]> = [
    ["Version", about.version],
    ["Ledger", `${about.ledger}${about.ledgerBytes === undefined ? "" : `, ${size(about.ledgerBytes)}`}`],
    ["Runs in it", count(about.runs)],
    ["Data folder", about.dataDir],
    ["Definitions", about.definitions ?? "none: name a folder when the dashboard is started"],
    ["Service", about.engine ?? "none is known"],
    ["Up since", `${moment(about.startedAt)}, ${span(now - about.startedAt)}`],
    ["Runs on", `Node ${about.node.replace(/^v/, "")}, ${about.platform}`]
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
        It shows what the ledger has: the same that <code>sluice runs</code>, <code>show</code>, <code>replay</code> and{" "}
        <code>schedule</code> work with. Times are of your clock, months and days of budgets in UTC.
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
      <h2>Signs</h2>
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
