/** Elements of the live view: access by id, notices, connection status, remaining time, end of the session. */

/** Element by id; null when this mode has no such element. */
export const find = <E extends HTMLElement>(id: string): E | null => document.getElementById(id) as E | null

/** Element by id that both modes have. */
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
      announce(`The session ends in ${seconds} seconds.`)
    }
  }
  setInterval(show, 1_000)
  return (millis) => {
    until = performance.now() + millis
    show()
  }
}

/** Replaces the view by the reason of the end. */
export const end = (text: string): void => {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close()
  document.body.classList.add("over")
  get("end-text").textContent = text
  get("end").hidden = false
  document.title = "Session ended · Sluice"
  get("end-title").focus()
  announce(`This session has ended. ${text}`)
}
