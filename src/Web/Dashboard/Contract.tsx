/** Contract of a pipeline with its history, and its state with a search. */
import { useState } from "preact/hooks"
import { useFetch, useMore } from "./Api.ts"
import { Banner, Empty, ErrorBanner, Loaded, LongText, Press, Search, Select, Table, Value } from "./Components.tsx"
import { DiffTable } from "./Diff.tsx"
import { count, many, moment } from "./Format.ts"
import { type ContractHistory, type ContractVersion, paths, type StateList } from "./Protocol.ts"
import { type Route, setQuery, to } from "./Route.ts"

type Output = NonNullable<ContractHistory["outputs"]>[number]

const policyNames = [
  ["onNew", "new fields"],
  ["onType", "other types"],
  ["onMissing", "missing values"]
] as const

const Columns = ({ output: { columns, policies, step } }: { readonly output: Output }) => (
  <section class="card">
    <h2>
      {step} <small>{many(columns.length, "column")}</small>
    </h2>
    <p class="dim">
      {policyNames.map(([name, title], index) => (
        <span key={name}>
          {index > 0 && " · "}
          {title}: <code>{policies[name]}</code>
        </span>
      ))}
    </p>
    <Table label={`Columns of ${step}`} columns={["Column", "Type", "Required", "Unit", "Values", "Description"]}>
      {columns.map(({ description, isKey, isNullable, name, type, unit, values }) => (
        <tr key={name}>
          <th scope="row">
            {name} {isKey && <small>key</small>}
          </th>
          <td>
            <code>{type}</code>
          </td>
          <td>{isNullable ? "" : "yes"}</td>
          <td>{unit}</td>
          <td>
            <LongText text={values?.join(", ") ?? ""} limit={80} />
          </td>
          <td>
            <LongText text={description ?? ""} limit={160} />
          </td>
        </tr>
      ))}
    </Table>
  </section>
)

const Version = ({ version: { at, parts, run } }: { readonly version: ContractVersion }) => {
  const [isOpen, setOpen] = useState(false)
  const changed = (parts ?? []).filter(({ kind }) => kind !== "same")
  const linesOf = (kind: "added" | "removed") =>
    changed.reduce((sum, part) => sum + (part.kind === kind ? part.lines.length : 0), 0)
  return (
    <li>
      <div>
        <a href={to(["runs", run])}>{moment(at)}</a>{" "}
        {parts === null ? (
          <small>the oldest one, or too different to compare</small>
        ) : (
          <button type="button" class="more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {many(linesOf("added"), "line")} added, {count(linesOf("removed"))} removed
          </button>
        )}
      </div>
      {isOpen && parts !== null && <DiffTable parts={parts} isSplit={false} />}
    </li>
  )
}

/** Current contract, and the versions that runs began with. */
export const Contract = ({ pipeline }: { readonly pipeline: string }) => {
  const asked = useFetch<ContractHistory>(paths.contract, { pipeline })
  return (
    <Loaded asked={asked}>
      {({ outputs, path, versions, why }) => (
        <>
          {path !== undefined && (
            <p class="dim">
              <code>{path}</code>
            </p>
          )}
          {why !== undefined && <Banner>{why}</Banner>}
          {outputs === null && why === undefined && (
            <Empty title="No contract">
              <p>
                <code>sluice contract init FILE</code> writes one beside the definition, from the rows of a run.
              </p>
            </Empty>
          )}
          {outputs?.map((output) => (
            <Columns key={output.step} output={output} />
          ))}
          {versions.length > 0 && (
            <section class="card">
              <h2>
                History <small>first run with each version</small>
              </h2>
              <ol class="history">
                {versions.map((version) => (
                  <Version key={`${version.at} ${version.run}`} version={version} />
                ))}
              </ol>
            </section>
          )}
        </>
      )}
    </Loaded>
  )
}

/** List of the state entries that the pipeline keeps from run to run. */
export const PipelineState = ({ pipeline, route }: { readonly pipeline: string; readonly route: Route }) => {
  const [text, step] = [route.query.get("text") ?? "", route.query.get("step") ?? ""]
  const { again, hasMore, isAsking, more, pieces, refusal } = useMore<StateList>(paths.state, { pipeline, text, step })
  const [first] = pieces
  const [known, setKnown] = useState<StateList["steps"]>([])
  // The response to a search has no numbers of entries, so the last known ones stay.
  if (first !== undefined && first.steps.length > 0 && text === "" && known !== first.steps) setKnown(first.steps)
  const steps = known.length > 0 ? known : (first?.steps ?? [])
  const entries = pieces.flatMap((piece) => piece.entries)
  if (first !== undefined && first.steps.length === 0) {
    return (
      <Empty title="No state">
        <p>Steps like dedupe and files with skipSeen keep entries from run to run.</p>
      </Empty>
    )
  }
  return (
    <>
      <div class="filters">
        <Search label="Search the keys" value={text} change={(next) => setQuery(route, { text: next })} />
        <Select
          label="Step"
          value={step}
          choices={[
            ["", "All steps"],
            ...steps.map(
              ({ entries, step }) => [step, entries === undefined ? step : `${step} (${count(entries)})`] as const
            )
          ]}
          choose={(chosen) => setQuery(route, { step: chosen })}
        />
        {first?.key !== undefined && (
          <span class="dim">
            state key <code>{first.key}</code>
          </span>
        )}
      </div>
      {refusal !== undefined && <ErrorBanner refusal={refusal} again={again} />}
      <Table kind="keyed" label="Entries of the state" columns={["Key", "Step", "Value", "First seen", "Last seen"]}>
        {entries.map((entry) => (
          <tr key={`${entry.step} ${entry.key}`}>
            <th scope="row">
              <Value value={entry.key} />
            </th>
            <td>{entry.step}</td>
            <td>
              <LongText text={entry.value} limit={120} />
            </td>
            <td class="time">{moment(entry.firstSeen)}</td>
            <td class="time">{moment(entry.lastSeen)}</td>
          </tr>
        ))}
      </Table>
      {entries.length === 0 && !isAsking && refusal === undefined && <p class="dim">No entry matches.</p>}
      {hasMore && (
        <Press act={more} isOff={isAsking}>
          Show more
        </Press>
      )}
    </>
  )
}
