/** Conditions that end a watch. */
import * as Effect from "effect/Effect"
import { type WrongUsage, wrongUsage } from "../CommandErrors.ts"
import * as Time from "../Schedule/Time.ts"

export type Condition =
  | { readonly kind: "changed" }
  /** Fulfilled if a page contains the text. */
  | { readonly kind: "text"; readonly text: string }
  /** Fulfilled if pages were read and none of them contains the text. */
  | { readonly kind: "without"; readonly text: string }
  /** Milliseconds since 1970. */
  | { readonly kind: "time"; readonly at: number }

const clock = /^(\d{1,2}):(\d{2})$/

/** The next time that the local clock shows this hour and minute. */
const nextOf = (hours: number, minutes: number, now: number): number => {
  const date = new Date(now)
  date.setHours(hours, minutes, 0, 0)
  if (date.getTime() <= now) date.setDate(date.getDate() + 1)
  return date.getTime()
}

const timeOf = (word: string, now: number): number | undefined => {
  const [, hours, minutes] = clock.exec(word) ?? []
  if (hours !== undefined && Number(hours) < 24 && Number(minutes) < 60) {
    return nextOf(Number(hours), Number(minutes), now)
  }
  return Time.parseUntil(word, Intl.DateTimeFormat().resolvedOptions().timeZone, now)
}

/** Parses a value of `--until`. Anything but `changed` or a time is text to look for. */
export const conditionOf = (word: string, now: number): Effect.Effect<Condition, WrongUsage> => {
  const [, kind, text = ""] = /^(text|without):(.*)$/s.exec(word) ?? []
  if (kind !== undefined) {
    return text.trim() === ""
      ? wrongUsage(`--until ${kind}: takes words, like --until "${kind}:Sold out"`)
      : Effect.succeed({ kind: kind === "text" ? "text" : "without", text })
  }
  if (word === "changed") return Effect.succeed({ kind: "changed" })
  const at = timeOf(word, now)
  if (at === undefined) return Effect.succeed({ kind: "text", text: word })
  return at > now
    ? Effect.succeed({ kind: "time", at })
    : wrongUsage(`--until ${word} is in the past; to wait for this text, write --until "text:${word}"`)
}

const plainOf = (text: string): string => text.replace(/\s+/g, " ").toLowerCase()

/**
 * The first condition that a visit has fulfilled, as a phrase for messages. `texts`: the texts of the pages; `areWhole`: no text is
 * truncated.
 */
export const fulfilled = (
  conditions: ReadonlyArray<Condition>,
  changes: number,
  texts: ReadonlyArray<string>,
  areWhole = true
): string | undefined => {
  const all = texts.map(plainOf)
  for (const condition of conditions) {
    if (condition.kind === "changed" && changes > 0) return "it has changed"
    if (condition.kind === "text" && all.some((text) => text.includes(plainOf(condition.text)))) {
      return `"${condition.text}" was found`
    }
    if (condition.kind !== "without" || all.length === 0 || !areWhole) continue
    if (!all.some((text) => text.includes(plainOf(condition.text)))) return `"${condition.text}" is no longer there`
  }
  return undefined
}
