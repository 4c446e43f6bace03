/** One reject: why, of which row, where it happened, and what has become of it. */
import { useState } from "preact/hooks"
import { moment } from "./Format.ts"
import type { RejectLine } from "./Protocol/Rejects.ts"
import { to } from "./Route.ts"
import { Away, Long } from "./Value.tsx"
import { Wide } from "./Wide.tsx"

export const Line = ({ reject }: { readonly reject: RejectLine }) => {
  const [isOpen, setOpen] = useState(false)
  const { at, attempts = 0, definedAt, error, isCut, jobId, key, message, replayedBy, row, step } = reject
  return (
    <li class="reject" data-replayed={replayedBy !== undefined}>
      <p class="why">
        <b class="reason">{error}</b> <Long text={message} limit={400} />
      </p>
      <p class="what">
        <Away address={key} />
      </p>
      <p class="dim">
        <b>{step}</b> · <code>{definedAt}</code> · <time title={String(at)}>{moment(at)}</time>
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
        <Wide label="The row">
          <pre>{isCut ? `${row}…` : row}</pre>
        </Wide>
      )}
    </li>
  )
}
