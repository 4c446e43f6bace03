/** The instants of a day, one below the other. */
import { clock } from "./Format.ts"
import type { Instant } from "./Protocol.ts"
import { to } from "./Route.ts"
import { State } from "./State.tsx"
import { Long } from "./Value.tsx"

export const Agenda = ({ instants }: { readonly instants: ReadonlyArray<Instant> }) =>
  instants.length === 0 ? (
    <p class="dim">Nothing was or is due then.</p>
  ) : (
    <ol class="agenda">
      {instants.map(({ attempt, cause, instant, pipeline, reason, run, status }) => (
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
  )
