/** Day or night: as the machine has it, until somebody chooses; the choice is remembered in a cookie. */
import { useState } from "preact/hooks"

const themes = ["system", "light", "dark"] as const
export type Theme = (typeof themes)[number]
const cookie = "sluice-theme"

const show = (theme: Theme): void => {
  if (theme === "system") delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

const kept = new RegExp(`(?:^|; )${cookie}=(\\w+)`).exec(document.cookie)?.[1]
const first = themes.find((each) => each === kept) ?? "system"
show(first)

/** The theme, and what goes on to the next one. */
export const useTheme = (): readonly [Theme, () => void] => {
  const [theme, setTheme] = useState<Theme>(first)
  const next = () => {
    const chosen = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system"
    show(chosen)
    // biome-ignore lint/suspicious/noDocumentCookie: the other way is not there outside of https, and not in all browsers
    document.cookie = `${cookie}=${chosen}; Path=/; Max-Age=31536000; SameSite=Strict`
    setTheme(chosen)
  }
  return [theme, next]
}
