/** Completion script for fish: one line per thing that can be completed. */
import { alone } from "../Arguments.ts"
import { templatesOf } from "../TextTemplate.ts"
import type { LoadedVerb } from "../Verb.ts"
import { type Content, profiles, runIds, type Shape, shapeOf } from "./Slot.ts"

/** Quotes for fish: within single quotes, quotes and backslashes are escaped by a backslash. */
const quoted = (text: string): string => `'${text.replace(/['\\]/g, "\\$&")}'`

/** Completions of a value; fish completes files itself. */
const offer = (content: Content): string => {
  if (typeof content !== "string") return `-x -a ${quoted(content.join(" "))}`
  switch (content) {
    case "definition":
    case "file":
      return "-r -F"
    case "folder":
      return "-x -a '(__fish_complete_directories)'"
    case "profile":
      return "-x -a '(__sluice_profiles)'"
    case "run":
      return "-x -a '(__sluice_runs)'"
    case "text":
      return "-x"
  }
}

const linesOf = ({ flags, operands, summary, verb }: Shape): ReadonlyArray<string> => {
  const here = `complete -c sluice -n '__fish_seen_subcommand_from ${verb}'`
  return [
    "",
    `complete -c sluice -n __fish_use_subcommand -a ${verb} -d ${quoted(summary)}`,
    ...operands.flatMap(({ content, many }, index) => {
      if (content === "text") return []
      const place = many ? "" : `; and __sluice_at ${index + 1}`
      const given = offer(content).replace(/^-[xr] /, "")
      return [`complete -c sluice -n '__fish_seen_subcommand_from ${verb}${place}' ${given}`]
    }),
    ...flags.map(({ description, name, short, value }) =>
      [
        here,
        `-l ${name}`,
        ...(short === undefined ? [] : [`-s ${short}`]),
        ...(value === undefined ? [] : [offer(value.content)]),
        `-d ${quoted(description)}`
      ].join(" ")
    )
  ]
}

export const fish = (verbs: ReadonlyArray<LoadedVerb>): string => {
  const script = templatesOf("completions-fish.txt")("script", {
    alone: Object.entries(alone).map(
      ([name, { description, short }]) =>
        `${name}${short === undefined ? "" : ` -s ${short}`} -d ${quoted(description)}`
    ),
    verbs: quoted(verbs.map(({ name }) => name).join(" ")),
    verb: verbs.map(shapeOf).flatMap(linesOf),
    profiles,
    runIds
  })
  return `${script.join("\n")}\n`
}
