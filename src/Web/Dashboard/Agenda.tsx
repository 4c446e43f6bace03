/** The instants of a day, one below the other. */
import { useState } from "preact/hooks"
import { clock, count } from "./Format.ts"
import type { Instant } from "./Protocol/Schedules.ts"
import { to } from "./Route.ts"
import { State } from "./State.tsx"
import { Long } from "./Value.tsx"

/** Instants that are shown at first, and with each press of a button. */
const atOnce = 100

export const Agenda = ({ instants }: { readonly instants: ReadonlyArray<Instant> }) => {
  const [most, setMost] = useState(atOnce)
  if (instants.length === 0) return <p class="dim">Nothing was or is due then.</p>
  return (
    <>
      <ol class="agenda">
        {instants.slice(0, most).map(({ attempt, cause, instant, pipeline, reason, run, status }) => (
          <li key={`${pipeline} ${instant}`}>
            <time>{clock(instant)}</time>
            <State state={status} />
            <span>
              {run === undefined ? <b>{pipeline}</b> : <a href={to(["runs", run])}>{pipeline}</a>}{" "}
              {cause === "hand" && <small>by hand </small>}
              {(attempt ?? 0) > 1 && <small>attempt {attempt} </small>}
              {reason !== undefined && <Long text={reason} limit={160} />}
            </span>
          </li>
        ))}
      </ol>
      {instants.length > most && (
        <button type="button" class="press" onClick={() => setMost(most + atOnce)}>
          {count(instants.length - most)} more
        </button>
      )}
    </>
  )
}
