/** The script for fish: a line for each thing that can be completed. */
import { alone } from "../Arguments.ts"
import type { LoadedVerb } from "../Verb.ts"
import { type Content, profiles, runIds, type Shape, shapeOf } from "./Slot.ts"

/** Between single quotes, where fish takes a backslash before a quote and before a backslash. */
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

export const fish = (verbs: ReadonlyArray<LoadedVerb>): string =>
  `# Completes sluice in fish; made by: sluice completions fish

function __sluice_runs
    ${runIds}
end

function __sluice_profiles
    ${profiles}
end

# Whether the word at the cursor is the verb's first, second, … operand; values of flags are not told apart from them.
function __sluice_at
    set -l words (commandline -opc | string match -v -- '-*')
    test (count $words) -eq (math $argv[1] + 1)
end

complete -c sluice -f
${Object.entries(alone)
  .map(
    ([name, { description, short }]) =>
      `complete -c sluice -n __fish_use_subcommand -l ${name}${short === undefined ? "" : ` -s ${short}`} -d ${quoted(description)}`
  )
  .join("\n")}
complete -c sluice -n __fish_use_subcommand -a help -d 'Shows the help of a verb.'
complete -c sluice -n '__fish_seen_subcommand_from help; and __sluice_at 1' -a ${quoted(verbs.map(({ name }) => name).join(" "))}
${verbs.map(shapeOf).flatMap(linesOf).join("\n")}
`
