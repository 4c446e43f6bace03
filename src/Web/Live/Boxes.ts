/** What a page asks in a box or a list of its own, and text that goes from one clipboard to the other. */
import { get, notice } from "./Dom.ts"
import type { ChoiceInfo, DialogInfo, Steering } from "./Protocol.ts"

const titles: Readonly<Record<DialogInfo["kind"], string>> = {
  alert: "The page says",
  confirm: "The page asks",
  prompt: "The page asks",
  beforeunload: "Leave this page?"
}

/** Shows the box that the page waits with; gives what is to be called with each change. */
export const pageBox = (send: (message: Steering) => void, isInteractive: boolean) => {
  const box = get<HTMLDialogElement>("box")
  const field = get<HTMLInputElement>("box-field")
  const [no, yes] = [get<HTMLButtonElement>("box-no"), get<HTMLButtonElement>("box-yes")]
  let shown: string | undefined

  const answer = (accept: boolean) => {
    if (shown !== undefined && isInteractive) send({ type: "answer", accept, text: accept ? field.value : "" })
    box.close()
  }
  yes.addEventListener("click", (event) => {
    event.preventDefault()
    answer(true)
  })
  no.addEventListener("click", (event) => {
    event.preventDefault()
    answer(false)
  })
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return
    event.preventDefault()
    answer(true)
  })
  box.addEventListener("cancel", (event) => {
    event.preventDefault()
    answer(false)
  })

  const open = ({ kind, message, value }: DialogInfo) => {
    get("box-title").textContent = titles[kind]
    const text = message || (kind === "beforeunload" ? "What you have entered may be lost." : "")
    get("box-text").textContent = isInteractive
      ? text
      : `${text}\n\nWhoever has the interactive link can answer it.`.trim()
    field.hidden = kind !== "prompt" || !isInteractive
    field.value = value
    no.hidden = kind === "alert" || !isInteractive
    yes.hidden = !isInteractive
    yes.textContent = kind === "beforeunload" ? "Leave" : "OK"
    no.textContent = kind === "beforeunload" ? "Stay" : "Cancel"
    if (box.open) box.close()
    if (isInteractive) box.showModal()
    else box.show()
  }

  return (dialog: DialogInfo | undefined) => {
    const key = dialog === undefined ? undefined : JSON.stringify(dialog)
    if (key === shown) return
    shown = key
    if (dialog === undefined) box.close()
    else open(dialog)
  }
}

/** Offers what a field of the page offers. */
export const choices = (send: (message: Steering) => void) => {
  const box = get<HTMLDialogElement>("choices")
  const list = get("choices-list")

  list.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const buttons = [...list.querySelectorAll<HTMLButtonElement>("button:enabled")]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    buttons[Math.max(0, Math.min(buttons.length - 1, at + by))]?.focus()
  })

  return (options: ReadonlyArray<ChoiceInfo>, chosen: number) => {
    const buttons = options.map(({ isDisabled, text }, index) => {
      const button = document.createElement("button")
      button.type = "submit"
      button.textContent = text || "\u00a0"
      button.disabled = isDisabled
      if (index === chosen) button.setAttribute("aria-current", "true")
      button.addEventListener("click", () => send({ type: "choose", index }))
      return button
    })
    list.replaceChildren(...buttons)
    if (!box.open) box.showModal()
    buttons[chosen]?.focus()
  }
}

/** Clipboards, as far as the browser lets us at them; else a field to copy from or to paste into. */
export const clipboard = (paste: (text: string) => void) => {
  const box = get<HTMLDialogElement>("clip")
  const text = get<HTMLTextAreaElement>("clip-text")
  const yes = get<HTMLButtonElement>("clip-yes")

  const open = (title: string, value: string) => {
    get("clip-title").textContent = title
    text.value = value
    yes.hidden = value !== ""
    box.showModal()
    text.focus()
    text.select()
  }
  yes.addEventListener("click", () => paste(text.value))

  return {
    /** Outside of https and of this machine there is no clipboard to write to. */
    copied: (value: string) => {
      const wrote = navigator.clipboard?.writeText(value) ?? Promise.reject(new Error("no clipboard"))
      wrote.then(
        () => notice("Copied."),
        () => open("Copy this text", value)
      )
    },
    ask: () => {
      const read = navigator.clipboard?.readText?.() ?? Promise.reject(new Error("no clipboard"))
      read.then(paste, () => open("Text to paste into the page", ""))
    }
  }
}
