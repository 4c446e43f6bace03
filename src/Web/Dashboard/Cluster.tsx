/** Workers of the cluster: how many parts are waiting, and what each worker is doing. Empty if the ledger is not shared. */
import { useFetch } from "./Api.ts"
import { Banner } from "./Components.tsx"
import { usePolling } from "./EventStream.ts"
import { count, many, relative } from "./Format.ts"
import { type ClusterNow, paths } from "./Protocol.ts"
import { to } from "./Route.ts"

/** Milliseconds between requests. */
const interval = 5_000

const stateOf = ({ alive, draining }: ClusterNow["workers"][number]): string =>
  alive ? (draining ? "draining" : "") : "gone"

export const Cluster = ({ now }: { readonly now: number }) => {
  const asked = useFetch<ClusterNow | null>(paths.cluster)
  const isShared = asked.value !== null
  usePolling(asked.again, interval, isShared)
  if (asked.refusal !== undefined) {
    return <Banner tone="warn">The workers could not be loaded: {asked.refusal.message}</Banner>
  }
  if (asked.value === undefined || asked.value === null) return null
  const { waiting, workers } = asked.value
  return (
    <section class="card">
      <h2>
        Workers <small>{count(workers.length)}</small>
      </h2>
      <p class="dim">{waiting === 0 ? "No part waits." : `${many(waiting, "part")} of runs without a worker.`}</p>
      {workers.length > 0 && (
        <ul class="things">
          {workers.map((worker) => (
            <li key={worker.id}>
              <span class="grow">
                <code>{worker.id}</code>{" "}
                <small>
                  {worker.parts.length} of {worker.concurrency} parts {stateOf(worker)}
                </small>
                {worker.parts.map(({ attempts, begunAt, part, pipeline, runId }) => (
                  <div key={`${runId} ${part}`}>
                    <a href={to(["runs", runId])}>{pipeline === "" ? runId : pipeline}</a> {part}
                    {attempts > 1 && <b> try {attempts}</b>} <small>{relative(begunAt, now)}</small>
                  </div>
                ))}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
