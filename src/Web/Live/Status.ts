/** How the connection is, how long the session lives, and that it is over. */
import { announce, get } from "./Dom.ts"

const told: Readonly<Record<"connecting" | "cut" | "live", string>> = {
  connecting: "Connecting",
  live: "Live",
  cut: "Reconnecting"
}

export const connection = (is: keyof typeof told, said: string): void => {
  const status = get("status")
  if (status.dataset.is !== is) announce(said)
  status.dataset.is = is
  get("status-text").textContent = told[is]
}

const clock = (seconds: number): string => {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  const rest = String(seconds % 60).padStart(2, "0")
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`
}

/** Counts down; gives what sets it. */
export const lifetime = (): ((millis: number) => void) => {
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

/** Shows the end instead of all else. */
export const end = (text: string): void => {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close()
  document.body.classList.add("over")
  get("end-text").textContent = text
  get("end").hidden = false
  document.title = "Session ended · Sluice"
  get("end-title").focus()
  announce(`This session has ended. ${text}`)
}
