/** What a run has said: the end of its log, and what is added as long as it goes on. */
import { useEffect, useRef, useState } from "preact/hooks"
import { ask, type Refusal } from "./Ask.ts"
import { useEvent, useGap } from "./Feed.ts"
import type { Log as Part, RunDetail } from "./Protocol/Runs.ts"
import { paths } from "./Protocol.ts"
import { Empty, Wrong } from "./Shown.tsx"

/** Characters that are kept in the page. */
const atMost = 500_000

const Text = ({ id }: { readonly id: string }) => {
  const [text, setText] = useState<string>()
  const [refusal, setRefusal] = useState<Refusal>()
  const next = useRef<number | undefined>(undefined)
  const isAsking = useRef(false)
  const isWanted = useRef(false)
  const place = useRef<HTMLPreElement>(null)
  const isAtEnd = useRef(true)

  const more = () => {
    isWanted.current = isAsking.current
    if (isAsking.current) return
    isAsking.current = true
    ask<Part>(paths.log, { id, after: next.current })
      .then(
        (part) => {
          next.current = part.next
          if (part.isMore) isWanted.current = true
          setRefusal(undefined)
          setText((before = "") => `${before}${part.text}`.slice(-atMost))
        },
        (failure: Refusal) => setRefusal(failure)
      )
      .finally(() => {
        isAsking.current = false
        if (isWanted.current) more()
      })
  }
  useEffect(more, [])
  useGap(more)
  // A run that moves has something to say.
  useEvent("progress", ({ run }) => run === id && more())
  useEvent("runs", ({ runs }) => runs.some((line) => line.id === id) && more())
  useEffect(() => {
    const element = place.current
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight
  }, [text])

  return (
    <>
      {refusal !== undefined && <Wrong refusal={refusal} again={more} />}
      <pre
        ref={place}
        class="log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than its place is moved by keys
        tabIndex={0}
        role="log"
        aria-label="Log"
        onScroll={({ currentTarget }) => {
          isAtEnd.current = currentTarget.scrollTop + currentTarget.clientHeight > currentTarget.scrollHeight - 30
        }}
      >
        {text ?? "Loading …"}
      </pre>
    </>
  )
}

export const Log = ({ run }: { readonly run: RunDetail }) =>
  run.hasLog ? (
    <Text id={run.id} />
  ) : (
    <Empty title="No log was kept">
      <p>
        A log is kept of runs that were started from here. Others say what they have to say where they were started.
      </p>
    </Empty>
  )
