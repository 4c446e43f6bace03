/** How runs and instants stand: a colour, a sign and a word, so that nobody depends on one of them. */

type Tone = "good" | "busy" | "warn" | "bad" | "still"

interface Look {
  readonly tone: Tone
  readonly word: string
  /** In a square of 16. */
  readonly sign: string
  /** What it means, for whoever points at it. */
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

const looks: Readonly<Record<string, Look>> = {
  completed: { tone: "good", word: "Completed", sign: tick, meaning: "Everything was done." },
  running: { tone: "busy", word: "Running", sign: play, meaning: "A process works on it now." },
  publishing: {
    tone: "busy",
    word: "Publishing",
    sign: up,
    meaning: "All files are whole; they are getting their names."
  },
  stopped: { tone: "still", word: "Stopped", sign: bars, meaning: "Somebody stopped it in order; it can be resumed." },
  budget: {
    tone: "warn",
    word: "Budget reached",
    sign: bolt,
    meaning: "It stopped in order at its budget; it can be resumed."
  },
  failed: { tone: "bad", word: "Failed", sign: cross, meaning: "It ended with a failure." },
  crashed: {
    tone: "bad",
    word: "Crashed",
    sign: bolt,
    meaning: "Its process is gone; it can be resumed where it was."
  },
  waiting: { tone: "still", word: "Waiting", sign: ring, meaning: "Nobody works on it yet." },
  retrying: { tone: "warn", word: "Retrying", sign: turn, meaning: "It failed, and is gone on with soon." },
  missed: { tone: "warn", word: "Missed", sign: dash, meaning: "Nothing was running then." },
  skipped: {
    tone: "still",
    word: "Skipped",
    sign: skip,
    meaning: "An earlier run went on, or the pipeline was paused."
  },
  replaced: { tone: "still", word: "Replaced", sign: swap, meaning: "A later instant took its place." },
  due: { tone: "still", word: "To come", sign: ring, meaning: "An instant that has not come yet." },
  paused: { tone: "still", word: "Paused", sign: bars, meaning: "Its instants pass by until it is resumed." },
  active: { tone: "busy", word: "Active", sign: play, meaning: "It is at work." }
}

const unknown = (state: string): Look => ({ tone: "still", word: state, sign: ring, meaning: state })

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
