/** The keys, and a box for questions: the two boxes that open over a screen. */
import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"

interface BoxProps {
  readonly isOpen: boolean
  readonly title: string
  readonly close: () => void
  readonly children: ComponentChildren
}

/** Escape closes it, and the focus goes back to where it was: a dialog does both by itself. */
const Box = ({ children, close, isOpen, title }: BoxProps) => {
  const box = useRef<HTMLDialogElement>(null)
  const name = useId()
  useEffect(() => {
    if (isOpen && !box.current?.open) box.current?.showModal()
    if (!isOpen) box.current?.close()
  }, [isOpen])
  return (
    <dialog ref={box} aria-labelledby={name} onClose={close}>
      <h2 id={name}>{title}</h2>
      {isOpen && children}
    </dialog>
  )
}

const keys: ReadonlyArray<readonly [key: string, what: string]> = [
  ["/", "to the search of the screen"],
  ["↑ ↓", "from row to row of a list"],
  ["Page ↑ ↓, Home, End", "through a list in larger steps"],
  ["Enter", "opens the row"],
  ["Tab", "from one thing to the next"],
  ["Esc", "closes a box; empties a search"],
  ["?", "this list"]
]

export const Help = ({ close, isOpen }: { readonly isOpen: boolean; readonly close: () => void }) => (
  <Box isOpen={isOpen} title="Keys" close={close}>
    <dl class="keys">
      {keys.map(([key, what]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
    <div class="answers">
      <button type="button" class="press" onClick={close}>
        Close
      </button>
    </div>
  </Box>
)

interface ConfirmProps {
  readonly label: ComponentChildren
  readonly title: string
  readonly yes: string
  /** Resolves when it is done; what it is refused with is shown in the box. */
  readonly act: () => Promise<unknown>
  readonly isMain?: boolean
  readonly children: ComponentChildren
}

/** A button that asks before it does something. */
export const Confirm = ({ act, children, isMain = false, label, title, yes }: ConfirmProps) => {
  const [isOpen, setOpen] = useState(false)
  const [isActing, setActing] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const close = () => {
    setOpen(false)
    setRefusal(undefined)
  }
  const go = () => {
    setActing(true)
    act()
      .then(close, (failure: Error) => setRefusal(failure.message))
      .finally(() => setActing(false))
  }
  return (
    <>
      <button type="button" class={isMain ? "press main" : "press"} onClick={() => setOpen(true)}>
        {label}
      </button>
      <Box isOpen={isOpen} title={title} close={close}>
        {children}
        {refusal !== undefined && (
          <p class="banner" data-tone="bad" role="alert">
            {refusal}
          </p>
        )}
        <div class="answers">
          <button type="button" class="press" onClick={close}>
            Cancel
          </button>
          <button type="button" class="press main" disabled={isActing} onClick={go}>
            {yes}
          </button>
        </div>
      </Box>
    </>
  )
}
