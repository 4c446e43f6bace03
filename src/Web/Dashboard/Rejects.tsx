/** Rejects of a run: groups by reason, filters, and each rejected row with its reason and the step's place in the definition. */

import { useState } from "preact/hooks"
import { useMore } from "./Api.ts"
import { Empty, ErrorBanner, ExternalLink, LongText, Press, Scroll, Search, Select } from "./Components.tsx"
import { useEvent, useGap } from "./EventStream.ts"
import { count, moment } from "./Format.ts"
import { paths } from "./Protocol.ts"
import { type Route, setQuery, to } from "./Route.ts"
import type { RejectGroup, RejectLine, RejectList, RunDetail } from "./RunProtocol.ts"
import { Icon } from "./Signs.tsx"

interface GroupsProps {
  readonly groups: ReadonlyArray<RejectGroup>
  readonly route: Route
}

const Groups = ({ groups, route }: GroupsProps) => {
  const [step, error] = [route.query.get("step"), route.query.get("error")]
  const isAll = step === null && error === null
  return (
    <ul class="choices" aria-label="Reasons">
      <li>
        <button
          type="button"
          aria-pressed={isAll}
          onClick={() => setQuery(route, { step: undefined, error: undefined })}
        >
          <b>All</b>
          <small>{count(groups.reduce((sum, group) => sum + group.count, 0))}</small>
        </button>
      </li>
      {groups.map((group) => {
        const isChosen = group.step === step && (error === null || group.error === error)
        return (
          <li key={`${group.step} ${group.error}`}>
            <button
              type="button"
              aria-pressed={isChosen}
              onClick={() => setQuery(route, { step: group.step, error: group.error })}
            >
              <b>
                <Icon name="cross" size={13} /> {group.error}
              </b>
              <small>
                {group.step} · {count(group.count)}
                {group.open < group.count && `, ${count(group.open)} open`}
              </small>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

const kinds = [
  ["all", "All"],
  ["open", "Open"],
  ["replayed", "Replayed"]
] as const

export const Rejects = ({ route, run }: { readonly run: RunDetail; readonly route: Route }) => {
  const given = Object.fromEntries(
    ["step", "error", "text", "which"].map((name) => [name, route.query.get(name) ?? undefined])
  )
  const which = given.which ?? "all"
  const { again, hasMore, isAsking, more, pieces, refusal } = useMore<RejectList>(paths.rejects, {
    id: run.id,
    ...given,
    which
  })
  useGap(() => pieces.length <= 1 && again())
  useEvent("runs", ({ runs }) => {
    const line = runs.find(({ id }) => id === run.id)
    // A list of which more than one page is loaded is not loaded again: the reader would lose the position.
    if (line !== undefined && line.rejects !== run.rejects && pieces.length <= 1) again()
  })
  const lines = pieces.flatMap(({ rejects }) => rejects)
  if (run.rejects === 0) {
    return (
      <Empty title="No rejects">
        <p>Rows that a step rejects appear here with the reason.</p>
      </Empty>
    )
  }
  return (
    <>
      <Groups groups={pieces[0]?.groups ?? []} route={route} />
      <div class="filters">
        <Search label="Search rejects" value={given.text ?? ""} change={(text) => setQuery(route, { text })} />
        <Select label="Status" value={which} choices={kinds} choose={(chosen) => setQuery(route, { which: chosen })} />
      </div>
      {refusal !== undefined && <ErrorBanner refusal={refusal} again={again} />}
      {!isAsking && lines.length === 0 && refusal === undefined && <Empty title="No reject matches" />}
      <ol class="rejects">
        {lines.map((reject) => (
          <Reject key={reject.number} reject={reject} />
        ))}
      </ol>
      {hasMore && (
        <Press act={more} isOff={isAsking}>
          More
        </Press>
      )}
    </>
  )
}

const Reject = ({ reject }: { readonly reject: RejectLine }) => {
  const [isOpen, setOpen] = useState(false)
  const { at, attempts = 0, definedAt, error, isCut, jobId, key, message, replayedBy, row, step } = reject
  return (
    <li class="reject" data-replayed={replayedBy !== undefined}>
      <p class="why">
        <b class="reason">{error}</b> <LongText text={message} limit={400} />
      </p>
      <p class="what">
        <ExternalLink address={key} />
      </p>
      <p class="dim">
        <b>{step}</b> · <code>{definedAt}</code> · <time dateTime={new Date(at).toISOString()}>{moment(at)}</time>
        {attempts > 0 && ` · ${attempts} ${attempts === 1 ? "attempt" : "attempts"}`}
        {jobId !== undefined && (
          <>
            {" "}
            · job <code>{jobId}</code>
          </>
        )}
        {replayedBy !== undefined && (
          <>
            {" "}
            · replayed by <a href={to(["runs", replayedBy])}>{replayedBy}</a>
          </>
        )}{" "}
        ·{" "}
        <button type="button" class="more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "hide the row" : "show the row"}
        </button>
        {" · "}
        <a href={to(["pages"], { key })}>its page</a>
      </p>
      {isOpen && (
        <Scroll label="The row">
          <pre>{isCut ? `${row}…` : row}</pre>
        </Scroll>
      )}
    </li>
  )
}
