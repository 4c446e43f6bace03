/** Day or night: as the machine has it, until somebody chooses; the browser keeps the choice. */
import { useState } from "preact/hooks"
import { keep, kept } from "./Kept.ts"

const themes = ["system", "light", "dark"] as const
export type Theme = (typeof themes)[number]
const name = "sluice-theme"

const show = (theme: Theme): void => {
  if (theme === "system") delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

const before = kept(name)
const first = themes.find((each) => each === before) ?? "system"
show(first)

/** The theme, and what goes on to the next one. */
export const useTheme = (): readonly [Theme, () => void] => {
  const [theme, setTheme] = useState<Theme>(first)
  const next = () => {
    const chosen = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system"
    show(chosen)
    keep(name, chosen)
    setTheme(chosen)
  }
  return [theme, next]
}
