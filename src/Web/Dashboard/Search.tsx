/** A field to search with: tells what is wanted when somebody pauses, and Escape empties it. */
import { useEffect, useRef, useState } from "preact/hooks"
import { Icon } from "./Icon.tsx"

interface Props {
  readonly label: string
  readonly value: string
  readonly change: (text: string) => void
}

/** Milliseconds without a key. */
const pause = 180

export const Search = ({ change, label, value }: Props) => {
  const [text, setText] = useState(value)
  const told = useRef(value)
  const timer = useRef(0)
  // Somebody has gone to another address of the screen.
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const enter = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => {
      told.current = next
      change(next)
    }, pause)
  }
  return (
    <label class="search">
      <Icon name="search" />
      <span class="unseen">{label}</span>
      <input
        type="search"
        placeholder={label}
        value={text}
        autocomplete="off"
        spellcheck={false}
        enterkeyhint="search"
        aria-keyshortcuts="/"
        onInput={(event) => enter(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return
          if (text === "") event.currentTarget.blur()
          else enter("")
        }}
      />
      <kbd title="The key / leads here">/</kbd>
    </label>
  )
}
