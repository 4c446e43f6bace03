/** What can be done about a run: each asks before it does it. */
import { useEffect, useRef, useState } from "preact/hooks"
import { newKey, tell } from "./Ask.ts"
import { many } from "./Format.ts"
import { Confirm } from "./Help.tsx"
import { Icon } from "./Icon.tsx"
import type { Again, Launched } from "./Protocol/Launch.ts"
import type { RunDetail } from "./Protocol/Runs.ts"
import { paths } from "./Protocol.ts"
import { go } from "./Route.ts"

export const Deeds = ({ again, run }: { readonly run: RunDetail; readonly again: () => void }) => {
  const [isCurrent, setCurrent] = useState(false)
  const key = useRef<string | undefined>(undefined)
  // Behind a change of the run it is another deed.
  useEffect(() => {
    key.current = undefined
  }, [run.state, run.openRejects])
  const launch = (path: string, body: Again) => () => {
    key.current ??= newKey()
    return tell<Launched>(path, { id: run.id }, body, key.current).then(({ run: next }) => {
      key.current = undefined
      go(["runs", next])
      // It is the same run when it is resumed.
      again()
    })
  }
  return (
    <div class="deeds">
      {run.canStop && (
        <Confirm
          title="Stop this run?"
          yes="Stop it"
          label="Stop"
          act={() => tell(paths.stop, { id: run.id }).then(again)}
        >
          {run.isGroup ? (
            <p>
              Workers bring what they have of it to a commit and give it back; <code>sluice resume</code> goes on there.
            </p>
          ) : (
            <p>It commits what it has, closes its files, and can be resumed.</p>
          )}
        </Confirm>
      )}
      {run.canResume && (
        <Confirm
          title="Resume this run?"
          yes="Resume it"
          label="Resume"
          isMain
          act={launch(paths.resume, isCurrent ? { withCurrent: true } : {})}
        >
          <p>It goes on where its last commit was: what was paid for is not asked for again.</p>
          <label class="check">
            <input type="checkbox" checked={isCurrent} onChange={(event) => setCurrent(event.currentTarget.checked)} />{" "}
            With the definition as it is now
          </label>
        </Confirm>
      )}
      {run.canReplay && run.openRejects > 0 && (
        <Confirm
          title={`Replay ${many(run.openRejects, "rejected row")}?`}
          yes="Replay them"
          label={
            <>
              <Icon name="replay" size={16} /> Replay {many(run.openRejects, "reject")}
            </>
          }
          act={launch(paths.replay, {})}
        >
          <p>
            A new run takes up all open rejects of this one, each at the step that turned it away, and adds to the
            outputs. Calls that it makes cost what they cost.
          </p>
        </Confirm>
      )}
    </div>
  )
}
