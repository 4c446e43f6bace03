/** Tabs and address: where the session is, and where somebody wants it to go. */
import { find, get } from "./Dom.ts"
import type { FromWatcher, State, Steering, TabInfo } from "./Protocol.ts"

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

export const make = (send: (message: FromWatcher | Steering) => void, isInteractive: boolean) => {
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
