/** Completions for an operand or a flag's value, from the verb's declaration. */
import { everywhere } from "../Arguments.ts"
import type { Parameter } from "../Parameter.ts"
import type { LoadedVerb } from "../Verb.ts"

/** Completions of a value: a few words, or a kind of value that the shell looks up. `text`: free text, which has no completions. */
export type Content = ReadonlyArray<string> | "definition" | "file" | "folder" | "profile" | "run" | "text"

export interface Flag {
  readonly name: string
  readonly short: string | undefined
  readonly description: string
  /** Placeholder of the flag's value, and its completions; undefined for a switch. */
  readonly value: { readonly name: string; readonly content: Content } | undefined
}

export interface Operand {
  readonly name: string
  readonly many: boolean
  readonly content: Content
}

export interface Shape {
  readonly verb: string
  readonly summary: string
  readonly flags: ReadonlyArray<Flag>
  readonly operands: ReadonlyArray<Operand>
}

/** File extensions of definitions. */
export const endings = ["yaml", "yml", "json", "ts"] as const

/** Kind of a value, from its placeholder in the help: FILE, DIR, RUN. */
const contentOf = (name: string, { description, value, words }: Parameter<unknown>): Content => {
  if (words !== undefined) return words
  if (name === "profile") return "profile"
  if (value === "DIR") return "folder"
  if (value === "RUN") return "run"
  if (value === "FILE" || value === "PIPELINE") return /\bdefinitions?\b/i.test(description) ? "definition" : "file"
  return "text"
}

/** Describes a verb for the completion scripts. */
export const shapeOf = ({ name: verb, parameters, summary }: LoadedVerb): Shape => {
  const all = Object.entries({ ...parameters, ...everywhere })
  return {
    verb,
    summary,
    flags: all.flatMap(([name, parameter]) => {
      const { description, kind, short, value } = parameter
      if (kind !== "flag") return []
      const content = contentOf(name, parameter)
      return [{ name, short, description, value: value === undefined ? undefined : { name: value, content } }]
    }),
    operands: all.flatMap(([name, parameter]) => {
      const { kind, many = false, value = name } = parameter
      return kind === "operand" ? [{ name: value, many, content: contentOf(name, parameter) }] : []
    })
  }
}

/** All spellings of a flag. */
export const spellings = ({ name, short }: Flag): ReadonlyArray<string> =>
  short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`]

// Bash executes a $(…) in a completed word, so only ids and names of harmless characters are passed on.

/** Shell command that lists the ids of runs: the first column of the list, without the header. */
export const runIds = "sluice runs --limit 50 2>/dev/null | sed -n 's/^\\([0-9][0-9A-Za-z.-]*\\) .*/\\1/p'"

/** Shell command that lists the names of profiles. */
export const profiles = "ls config 2>/dev/null | sed -n 's/^\\([0-9A-Za-z][0-9A-Za-z._-]*\\)\\.yaml$/\\1/p'"
