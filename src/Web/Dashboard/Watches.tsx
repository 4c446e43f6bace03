/** Screen of all pipelines' watches, each with its latest change. */
import { useFetch } from "./Api.ts"
import { changeWords } from "./Changes.tsx"
import { Empty, Loaded, LongText, Table, Value } from "./Components.tsx"
import { useEvent, useGap, useNow } from "./EventStream.ts"
import { count, moment, relative } from "./Format.ts"
import { paths, type WatchLine, type WatchList } from "./Protocol.ts"
import { to } from "./Route.ts"
import { State } from "./Signs.tsx"

const WatchRow = ({ line, now }: { readonly line: WatchLine; readonly now: number }) => {
  const { changes, last, latest, pipeline, step } = line
  return (
    <tr>
      <th scope="row">
        <a href={to(["pipelines", pipeline, "changes"])}>{pipeline}</a>
        <br />
        <small>{step}</small>
      </th>
      <td>
        {latest === undefined ? (
          <span class="nothing">none yet</span>
        ) : (
          <>
            <b>{changeWords[latest.change]}</b> <Value value={latest.key} />
            {latest.summary !== undefined && (
              <>
                <br />
                <LongText text={latest.summary} />
              </>
            )}
            <br />
            <small title={moment(latest.at)}>{relative(latest.at, now)}</small>
          </>
        )}
      </td>
      <td>{count(changes)}</td>
      <td>
        {last === undefined ? (
          <span class="nothing">—</span>
        ) : (
          <>
            <a href={to(["runs", last.run])}>
              <State state={last.state} />
            </a>{" "}
            <small title={moment(last.at)}>{relative(last.at, now)}</small>
          </>
        )}
      </td>
    </tr>
  )
}

export const Watches = () => {
  const asked = useFetch<WatchList>(paths.watches)
  const now = useNow(true, 20_000)
  const { again } = asked
  useEvent("runs", ({ runs }) => {
    if (runs.some(({ state }) => state === "completed")) again()
  })
  useGap(again)
  return (
    <section class="screen">
      <div class="top">
        <h1>Watches</h1>
      </div>
      <Loaded asked={asked}>
        {({ isCut, watches }) =>
          watches.length === 0 ? (
            <Empty title="No watches">
              <p>
                <code>sluice watch https://example.com/terms</code> watches a page. So does every pipeline with{" "}
                <code>dedupe: {"{ across: runs, history: 200 }"}</code>.
              </p>
            </Empty>
          ) : (
            <>
              <Table kind="keyed" label="Watches" columns={["Watch", "Latest change", "Changes", "Last visit"]}>
                {watches.map((line) => (
                  <WatchRow key={`${line.pipeline} ${line.step}`} line={line} now={now} />
                ))}
              </Table>
              {isCut && <p class="dim">These are the 500 watches with the latest changes.</p>}
            </>
          )
        }
      </Loaded>
    </section>
  )
}
