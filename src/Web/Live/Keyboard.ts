/** Keys and text: from a keyboard key by key, from a phone or an input method as text. */
import { get } from "./Dom.ts"
import type { Steering } from "./Protocol.ts"

interface Held {
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Alt 1, Ctrl 2, Meta 4, Shift 8. The page runs elsewhere: what is Cmd on a Mac is Ctrl there. */
export const modifiersOf = ({ altKey, ctrlKey, metaKey, shiftKey }: Held): number => {
  const isCtrl = ctrlKey || (isMac && metaKey)
  return (altKey ? 1 : 0) | (isCtrl ? 2 : 0) | (metaKey && !isMac ? 4 : 0) | (shiftKey ? 8 : 0)
}

/** So that deleting backwards has something to delete, and so says that it was asked for. */
const filler = "\u200b".repeat(8)

const keyCodes: Readonly<Record<string, number>> = { Backspace: 8, Delete: 46, Enter: 13 }

export interface Keyboard {
  readonly focus: () => void
  readonly paste: (text: string) => void
}

export const steer = (send: (message: Steering) => void, leave: () => void): Keyboard => {
  const field = get<HTMLTextAreaElement>("field")
  const held = new Map<string, Steering>()
  let isComposing = false

  const reset = () => {
    field.value = filler
    field.setSelectionRange(filler.length, filler.length)
  }

  const stroke = (key: string) => {
    const text = key === "Enter" ? "\r" : ""
    const press = {
      type: "key",
      key,
      code: key,
      keyCode: keyCodes[key] ?? 0,
      location: 0,
      isRepeat: false,
      modifiers: 0
    } as const
    send({ ...press, action: "down", text })
    send({ ...press, action: "up", text: "" })
  }

  const paste = (text: string) => {
    if (text !== "") send({ type: "text", text: text.replace(/\r\n?/g, "\n").slice(0, 100_000) })
  }

  /** What a key writes; nothing for one that does something. */
  const textOf = (event: KeyboardEvent): string => {
    const isShortcut = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph")
    if (event.key === "Enter") return "\r"
    return event.key.length === 1 && !(isShortcut && (event.ctrlKey || event.metaKey || !isMac)) ? event.key : ""
  }

  field.addEventListener("keydown", (event) => {
    const { code, isComposing: composes, key, keyCode, location, repeat: isRepeat } = event
    const isCommand = isMac ? event.metaKey : event.ctrlKey
    if (key === "F6") {
      event.preventDefault()
      return leave()
    }
    // What is being composed, and what a phone does not name, comes as text.
    if (composes || key === "Process" || key === "Unidentified" || key === "Dead" || keyCode === 229) return
    // The text comes by itself, from the clipboard of whoever pastes.
    if (isCommand && key.toLowerCase() === "v") return
    event.preventDefault()
    if (key.length > 64) return
    const isAltGraph = event.getModifierState("AltGraph")
    const modifiers = isAltGraph ? modifiersOf(event) & ~3 : modifiersOf(event)
    const message = { type: "key", key, code, keyCode, location, isRepeat, modifiers } as const
    send({ ...message, action: "down", text: textOf(event) })
    held.set(code, { ...message, action: "up", text: "", isRepeat: false })
    if (isCommand && /^[cx]$/i.test(key)) send({ type: "copy" })
  })
  field.addEventListener("keyup", (event) => {
    const message = held.get(event.code)
    if (message === undefined) return
    held.delete(event.code)
    send(message)
  })
  field.addEventListener("blur", () => {
    // Whoever goes on elsewhere lets go there.
    for (const message of held.values()) send(message)
    held.clear()
  })
  field.addEventListener("compositionstart", () => {
    isComposing = true
  })
  field.addEventListener("compositionupdate", ({ data }) => {
    send({ type: "compose", text: data.slice(0, 1_000), start: data.length, end: data.length })
  })
  field.addEventListener("compositionend", ({ data }) => {
    isComposing = false
    if (data === "") send({ type: "compose", text: "", start: 0, end: 0 })
    else send({ type: "text", text: data })
    setTimeout(reset)
  })
  field.addEventListener("beforeinput", (event) => {
    if (isComposing || event.inputType.includes("omposition")) return
    event.preventDefault()
    const { data, inputType } = event
    if (inputType === "insertLineBreak" || inputType === "insertParagraph") stroke("Enter")
    else if (inputType.startsWith("deleteContentForward")) stroke("Delete")
    else if (inputType.startsWith("delete")) stroke("Backspace")
    else if (data !== null) send({ type: "text", text: data })
    reset()
  })
  field.addEventListener("paste", (event) => {
    event.preventDefault()
    paste(event.clipboardData?.getData("text/plain") ?? "")
  })
  reset()
  return { focus: () => field.focus({ preventScroll: true }), paste }
}
