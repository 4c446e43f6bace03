/** Icons, and the look of states: each state has a colour, an icon and a word, so that nothing depends on colour alone. */

type Tone = "good" | "busy" | "warn" | "bad" | "still"

interface Look {
  readonly tone: Tone
  readonly word: string
  /** SVG path in a 16 × 16 square. */
  readonly sign: string
  /** Tooltip of the icon. */
  readonly meaning: string
}

const tick = "M3.5 8.5l3 3 6-7"
const cross = "M4 4l8 8M12 4l-8 8"
const play = "M5 3.5l7 4.5-7 4.5z"
const bars = "M5.5 4v8M10.5 4v8"
const bolt = "M8 3v6M8 12.4v.1"
const ring = "M8 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8z"
const turn = "M12 8a4 4 0 1 1-1.4-3L12 6.2M12 3v3.2H8.8"
const dash = "M4 8h8"
const skip = "M4 4l4 4-4 4M8.5 4l4 4-4 4"
const swap = "M4 6h8l-2.5-2.5M12 10H4l2.5 2.5"
const up = "M8 12.5v-9M4.5 7L8 3.5 11.5 7"

const look = (tone: Tone, word: string, sign: string, meaning: string): Look => ({ tone, word, sign, meaning })

const looks: Readonly<Record<string, Look>> = {
  completed: look("good", "Completed", tick, "The run finished and published its outputs."),
  running: look("busy", "Running", play, "A process executes it."),
  publishing: look("busy", "Publishing", up, "All rows are written; files are being published."),
  stopped: look("still", "Stopped", bars, "It was stopped; it can be resumed."),
  budget: look("warn", "Budget reached", bolt, "It reached its budget; it can be resumed."),
  failed: look("bad", "Failed", cross, "It ended with an error."),
  held: look("warn", "Held", bars, "Its outputs are not as expected; publish or discard them."),
  discarded: look("still", "Discarded", cross, "Its outputs were held, and discarded."),
  crashed: look("bad", "Crashed", bolt, "Its process ended unexpectedly; it can be resumed."),
  waiting: look("still", "Waiting", ring, "It waits for a worker."),
  retrying: look("warn", "Retrying", turn, "It failed and will be resumed soon."),
  missed: look("warn", "Missed", dash, "No scheduler was running at that time."),
  skipped: look("still", "Skipped", skip, "An earlier run was active, or the schedule was paused."),
  replaced: look("still", "Replaced", swap, "A later scheduled time replaced it."),
  due: look("still", "Due", ring, "A future scheduled time."),
  paused: look("still", "Paused", bars, "Its scheduled times are skipped until it is resumed."),
  active: look("busy", "Active", play, "It is being processed.")
}

const unknown = (state: string): Look => look("still", state, ring, state)

export const lookOf = (state: string): Look =>
  (Object.hasOwn(looks, state) ? looks[state] : undefined) ?? unknown(state)

export const Sign = ({ state }: { readonly state: string }) => (
  <svg class="sign" data-tone={lookOf(state).tone} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d={lookOf(state).sign} />
  </svg>
)

export const State = ({ state, text }: { readonly state: string; readonly text?: string }) => {
  const { meaning, tone, word } = lookOf(state)
  return (
    <span class="state" data-state={state} data-tone={tone} title={meaning}>
      <Sign state={state} />
      {text ?? word}
    </span>
  )
}

const iconPaths = {
  runs: "M5 6h14M5 12h14M5 18h9",
  start: "M8 5.5v13l11-6.5z",
  schedules: "M5 6.5h14v13H5zM5 10.5h14M9 4v4M15 4v4",
  pages: "M7 4h7l4 4v12H7zM14 4v4h4M10 13h5M10 16.5h5",
  watches:
    "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6z",
  usage: "M5 19.5h14M7.5 16v-4M12 16V6.5M16.5 16v-7",
  active: "M3 12h4l3-7 4 14 3-7h4",
  about: "M12 11v6M12 7.2v.1M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17z",
  light:
    "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M18.4 5.6l-1.1 1.1M6.7 17.3l-1.1 1.1",
  dark: "M19 14.5A7.5 7.5 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5z",
  system: "M4 6h16v10H4zM9 20h6M12 16v4",
  search: "M11 5a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM15.5 15.5L20 20",
  back: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  replay: "M5 12a7 7 0 1 0 2.3-5.2L5 9M5 4v5h5",
  open: "M10 5H5v14h14v-5M14 5h5v5M19 5l-9 9",
  down: "M12 5v10M7.5 11l4.5 4.5 4.5-4.5M5 19.5h14",
  cross: "M7 7l10 10M17 7L7 17"
} as const

export type IconName = keyof typeof iconPaths

export const Icon = ({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) => (
  <svg class="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
    <path d={iconPaths[name]} />
  </svg>
)

/** Logo. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 24 24" width="26" height="26" aria-hidden="true">
    <rect width="24" height="24" rx="6" fill="currentColor" />
    <path
      class="water"
      d="M5 9.5c2.3-2 4.7-2 7 0s4.7 2 7 0M5 15c2.3-2 4.7-2 7 0s4.7 2 7 0"
      fill="none"
      stroke-width="2"
      stroke-linecap="round"
    />
  </svg>
)
