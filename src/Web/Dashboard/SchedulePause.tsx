/** Pauses a schedule, and goes on with it. */
import { useState } from "preact/hooks"
import { tell } from "./Ask.ts"
import { Confirm } from "./Help.tsx"
import type { ScheduleLine } from "./Protocol/Schedules.ts"
import { paths } from "./Protocol.ts"

export const Pause = ({
  again,
  line: { pausedAt, pipeline }
}: {
  readonly line: ScheduleLine
  readonly again: () => void
}) => {
  const [why, setWhy] = useState("")
  return pausedAt === undefined ? (
    <Confirm
      title={`Pause ${pipeline}?`}
      yes="Pause it"
      label="Pause"
      act={() => tell(paths.pause, { pipeline }, why === "" ? {} : { why }).then(again)}
    >
      <p>Its instants pass by, as skipped, until it is resumed. A run that goes on is left alone.</p>
      <label class="field">
        <span>Why, for others</span>
        <input type="text" value={why} maxLength={200} onInput={(event) => setWhy(event.currentTarget.value)} />
      </label>
    </Confirm>
  ) : (
    <Confirm
      title={`Resume ${pipeline}?`}
      yes="Resume it"
      label="Resume"
      act={() => tell(paths.unpause, { pipeline }).then(again)}
    >
      <p>It runs again from its next instant on.</p>
    </Confirm>
  )
}
