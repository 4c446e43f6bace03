/** Modal dialogs: the list of keys, and the confirmation of an action. */
import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"

interface ModalProps {
  readonly isOpen: boolean
  readonly title: string
  readonly close: () => void
  readonly children: ComponentChildren
}

/** The dialog element closes on Escape and restores the focus. */
const Modal = ({ children, close, isOpen, title }: ModalProps) => {
  const element = useRef<HTMLDialogElement>(null)
  const name = useId()
  useEffect(() => {
    if (isOpen && !element.current?.open) element.current?.showModal()
    if (!isOpen) element.current?.close()
  }, [isOpen])
  return (
    <dialog ref={element} aria-labelledby={name} onClose={close}>
      <h2 id={name}>{title}</h2>
      {isOpen && children}
    </dialog>
  )
}

const keys: ReadonlyArray<readonly [key: string, what: string]> = [
  ["/", "focuses the search"],
  ["↑ ↓", "moves by row in a list"],
  ["Page ↑ ↓, Home, End", "moves by page, or to the ends of a list"],
  ["Enter", "opens the row"],
  ["Tab", "moves to the next link or field"],
  ["Esc", "closes a dialog, clears the search"],
  ["?", "shows this list"]
]

export const Help = ({ close, isOpen }: { readonly isOpen: boolean; readonly close: () => void }) => (
  <Modal isOpen={isOpen} title="Keys" close={close}>
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
  </Modal>
)

interface ConfirmProps {
  readonly label: ComponentChildren
  readonly title: string
  readonly yes: string
  /** A rejection is shown in the dialog. */
  readonly act: () => Promise<unknown>
  readonly isMain?: boolean
  readonly children: ComponentChildren
}

/** Button whose action is confirmed in a dialog. */
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
      <Modal isOpen={isOpen} title={title} close={close}>
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
      </Modal>
    </>
  )
}
