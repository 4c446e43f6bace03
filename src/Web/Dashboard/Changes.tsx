/** Timeline of the changes that a pipeline has found, by day, each with its summary and word diff. */
import type { ComponentChildren } from "preact"
import { useMore } from "./Api.ts"
import { Empty, ErrorBanner, Press, Value } from "./Components.tsx"
import { day, moment } from "./Format.ts"
import { type ChangeList, paths } from "./Protocol.ts"
import { to } from "./Route.ts"

type Change = ChangeList["changes"][number]

export const changeWords = { new: "New", changed: "Changed", gone: "Gone" } as const

/** Removed and added words of a diff. The diff comes from a page, so it is rendered as plain text. */
const WordDiff = ({ diff }: { readonly diff: string }) => {
  const parts: Array<ComponentChildren> = []
  let at = 0
  for (const { 0: whole, 1: removed, 2: added, index } of diff.matchAll(/\[-([^\n]*?)-\]|\{\+([^\n]*?)\+\}/g)) {
    parts.push(diff.slice(at, index))
    parts.push(removed === undefined ? <ins key={index}>{added}</ins> : <del key={index}>{removed}</del>)
    at = index + whole.length
  }
  parts.push(diff.slice(at))
  return <pre class="words">{parts}</pre>
}

const ChangeItem = ({ change }: { readonly change: Change }) => (
  <li>
    <div>
      <b>{changeWords[change.change]}</b> <Value value={change.key} />
    </div>
    {change.summary !== undefined && <p>{change.summary}</p>}
    {change.diff !== undefined && change.diff !== "" && <WordDiff diff={change.diff} />}
    <small>
      {moment(change.at)} · <a href={to(["runs", change.run])}>run {change.run}</a> · {change.step}
    </small>
  </li>
)

export const Changes = ({ pipeline }: { readonly pipeline: string }) => {
  const { again, hasMore, isAsking, more, pieces, refusal } = useMore<ChangeList>(paths.changes, { pipeline })
  const days = new Map<string, Array<Change>>()
  for (const change of pieces.flatMap(({ changes }) => changes)) {
    days.set(day(change.at), [...(days.get(day(change.at)) ?? []), change])
  }
  if (pieces.length > 0 && days.size === 0 && refusal === undefined) {
    return (
      <Empty title="No changes">
        <p>
          <code>dedupe: {"{ across: runs, changedIn: markdown }"}</code> finds changes of pages, and keeps the last
          ones.
        </p>
      </Empty>
    )
  }
  return (
    <>
      {refusal !== undefined && <ErrorBanner refusal={refusal} again={again} />}
      {Array.from(days, ([name, changes]) => (
        <section key={name} class="card">
          <h2>{name}</h2>
          <ol class="changes">
            {changes.map((change) => (
              <ChangeItem key={change.id} change={change} />
            ))}
          </ol>
        </section>
      ))}
      {hasMore && (
        <Press act={more} isOff={isAsking}>
          Show more
        </Press>
      )}
    </>
  )
}
