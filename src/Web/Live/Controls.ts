/** Elements of the live view: lookup by id, notices, status and remaining time, address bar, dialogs, clipboard and select fields. */
import type { ChoiceInfo, DialogInfo, State, TabInfo } from "./Protocol.ts"
import type { FromWatcher, Steering } from "./Steering.ts"

/** Element by id; null if this mode does not have it. */
export const find = <E extends HTMLElement>(id: string): E | null => document.getElementById(id) as E | null

/** Element by id, for elements that both modes have. */
export const get = <E extends HTMLElement>(id: string): E => {
  const found = find<E>(id)
  if (found === null) throw new Error(`The page has no ${id}`)
  return found
}

let timer = 0

/** Shows a message for a few seconds. */
export const notice = (text: string): void => {
  const place = get("notice")
  place.textContent = text
  clearTimeout(timer)
  timer = window.setTimeout(() => {
    place.textContent = ""
  }, 6_000)
}

/** Announces a message to screen readers. */
export const announce = (text: string): void => {
  get("announcer").textContent = text
}

const statusTexts: Readonly<Record<"connecting" | "cut" | "live", string>> = {
  connecting: "Connecting",
  live: "Live",
  cut: "Reconnecting"
}

export const connection = (is: keyof typeof statusTexts, announcement: string): void => {
  const status = get("status")
  if (status.dataset.is !== is) announce(announcement)
  status.dataset.is = is
  get("status-text").textContent = statusTexts[is]
}

const clock = (seconds: number): string => {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  const rest = String(seconds % 60).padStart(2, "0")
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`
}

/** Countdown of the session; returns a function that sets the remaining milliseconds. */
export const countdown = (): ((millis: number) => void) => {
  const place = get("left")
  let until: number | undefined
  let isWarned = false
  const show = () => {
    if (until === undefined) return
    const seconds = Math.max(0, Math.round((until - performance.now()) / 1000))
    place.textContent = `${clock(seconds)} left`
    place.classList.toggle("soon", seconds <= 60)
    if (seconds > 60) isWarned = false
    else if (!isWarned) {
      isWarned = true
      announce(`The session ends in ${seconds === 1 ? "a second" : `${seconds} seconds`}.`)
    }
  }
  setInterval(show, 1_000)
  return (millis) => {
    until = performance.now() + millis
    show()
  }
}

/** Replaces the view with the reason why the session ended. */
export const end = (text: string): void => {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close()
  document.body.classList.add("over")
  get("end-text").textContent = text
  get("end").hidden = false
  document.title = "Session ended · Sluice"
  get("end-title").focus()
  announce(`This session has ended. ${text}`)
}

const nameOf = ({ title, url }: TabInfo): string => title || url.replace(/^https?:\/\//, "") || "New tab"

const crossPath = "M7 7l10 10M17 7L7 17"
const namespace = "http://www.w3.org/2000/svg"

const cross = (): SVGSVGElement => {
  const image = document.createElementNS(namespace, "svg")
  const path = document.createElementNS(namespace, "path")
  image.setAttribute("viewBox", "0 0 24 24")
  image.setAttribute("aria-hidden", "true")
  path.setAttribute("d", crossPath)
  image.append(path)
  return image
}

export const addressBar = (send: (message: FromWatcher | Steering) => void, isInteractive: boolean) => {
  const list = get<HTMLUListElement>("tabs")
  const address = get<HTMLInputElement>("address")
  const [back, forward, reload] = ["back", "forward", "reload"].map((id) => find<HTMLButtonElement>(id))
  let shown = ""
  let isLoading = false

  const tabOf = (tab: TabInfo, isShown: boolean, count: number): HTMLLIElement => {
    const item = document.createElement("li")
    const choose = document.createElement("button")
    const name = nameOf(tab)
    choose.type = "button"
    choose.className = "tab"
    choose.dataset.tab = tab.id
    choose.textContent = name
    choose.title = name
    if (isShown) choose.setAttribute("aria-current", "true")
    choose.addEventListener("click", () => send({ type: "look", tab: tab.id }))
    item.append(choose)
    if (!isInteractive || count < 2) return item
    const close = document.createElement("button")
    close.type = "button"
    close.className = "close"
    close.setAttribute("aria-label", `Close the tab ${name}`)
    close.append(cross())
    close.addEventListener("click", () => send({ type: "close", tab: tab.id }))
    item.append(close)
    return item
  }

  const drawTabs = ({ looking, tabs }: State) => {
    const key = JSON.stringify([tabs.map((tab) => [tab.id, nameOf(tab)]), looking])
    if (key === shown) return
    shown = key
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.tab : undefined
    list.replaceChildren(...tabs.map((tab) => tabOf(tab, tab.id === looking, tabs.length)))
    const choices = [...list.querySelectorAll<HTMLElement>("[data-tab]")]
    choices.find(({ dataset }) => dataset.tab === focused)?.focus()
    list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" })
  }

  back?.addEventListener("click", () => send({ type: "back" }))
  forward?.addEventListener("click", () => send({ type: "forward" }))
  reload?.addEventListener("click", () => send({ type: isLoading ? "stop" : "reload" }))
  find("open")?.addEventListener("click", () => {
    send({ type: "open" })
    setTimeout(() => address.select(), 300)
  })
  get<HTMLFormElement>("address-form").addEventListener("submit", (event) => {
    event.preventDefault()
    if (!isInteractive || address.value.trim() === "") return
    send({ type: "go", address: address.value })
    address.blur()
  })
  address.addEventListener("focus", () => address.select())

  return {
    show: (state: State) => {
      drawTabs(state)
      const tab = state.tabs.find(({ id }) => id === state.looking)
      const url = tab === undefined || tab.url === "about:blank" ? "" : tab.url
      if (document.activeElement !== address || !isInteractive) address.value = url
      isLoading = state.isLoading
      get("progress").hidden = !isLoading
      if (back) back.disabled = !state.canGoBack
      if (forward) forward.disabled = !state.canGoForward
      if (reload) reload.ariaLabel = reload.title = isLoading ? "Stop loading" : "Reload the page"
      const name = tab === undefined ? "" : nameOf(tab)
      document.title = name === "" ? "Sluice" : `${name} · Sluice`
      get("picture").ariaLabel = name === "" ? "Picture of the page" : `Picture of the page ${name}`
    },
    focus: () => address.focus()
  }
}

const titles: Readonly<Record<DialogInfo["kind"], string>> = {
  alert: "The page says",
  confirm: "The page asks",
  prompt: "The page asks",
  beforeunload: "Leave this page?"
}

/** Shows dialogs that block the page; returns a function to call with each state. */
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
      : `${text}\n\nViewers with the interactive link can answer it.`.trim()
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

/** Shows the options of a select field of the page. */
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

/** Copies and pastes through the browser's clipboard, or through an input field if the browser denies access. */
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
    /** `navigator.clipboard` exists only on https and on localhost. */
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
