/** The script for zsh: the specifications of `_arguments`, for each verb. */
import { alone } from "../Arguments.ts"
import type { Parameter } from "../Parameter.ts"
import type { LoadedVerb } from "../Verb.ts"
import {
  type Content,
  endings,
  type Flag,
  type Operand,
  profiles,
  runIds,
  type Shape,
  shapeOf,
  spellings
} from "./Slot.ts"

/** Between single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A colon or a bracket would end a part of a specification. */
const part = (text: string): string => text.replace(/[[\]:\\]/g, "\\$&")

const action = (content: Content): string => {
  if (typeof content !== "string") return `(${content.join(" ")})`
  switch (content) {
    case "definition":
      return `_files -g "*.(${endings.join("|")})(-.)"`
    case "file":
      return "_files"
    case "folder":
      return "_files -/"
    case "profile":
      return "_sluice_profiles"
    case "run":
      return "_sluice_runs"
    case "text":
      return " "
  }
}

const flagSpec = (flag: Flag): ReadonlyArray<string> => {
  const value = flag.value === undefined ? "" : `:${part(flag.value.name)}:${action(flag.value.content)}`
  return spellings(flag).map((each) => {
    const takes = value !== "" && each.startsWith("--") ? "=" : ""
    return quoted(`*${each}${takes}[${part(flag.description)}]${value}`)
  })
}

const operandSpec = ({ content, many, name }: Operand, index: number): string =>
  quoted(`${many ? "*" : index + 1}:${part(name)}:${action(content)}`)

const verbCase = ({ flags, operands, verb }: Shape): string =>
  [
    `    ${verb})`,
    `      _arguments -s \\`,
    [...flags.flatMap(flagSpec), ...operands.map(operandSpec)].map((spec) => `        ${spec}`).join(" \\\n"),
    "      ;;"
  ].join("\n")

const aloneSpecs = Object.entries(alone).flatMap(([name, { description, short }]: [string, Parameter<unknown>]) =>
  flagSpec({ name, short, description, value: undefined })
)

export const zsh = (verbs: ReadonlyArray<LoadedVerb>): string => {
  const shapes = verbs.map(shapeOf)
  return `#compdef sluice
# Completes sluice in zsh; made by: sluice completions zsh

_sluice_runs() {
  local -a found
  found=(\${(f)"$(${runIds})"})
  compadd -a found
}

_sluice_profiles() {
  local -a found
  found=(\${(f)"$(${profiles})"})
  compadd -a found
  _files -g "*.(yaml|yml)(-.)"
}

_sluice_verbs() {
  local -a verbs
  verbs=(
${shapes.map(({ summary, verb }) => `    ${quoted(`${verb}:${summary.replaceAll(":", "\\:")}`)}`).join("\n")}
  )
  _describe -t verbs verb verbs
}

_sluice() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \\
${aloneSpecs.map((spec) => `    ${spec}`).join(" \\\n")} \\
    '1:verb:_sluice_verbs' \\
    '*::argument:->verb' && return
  [[ $state == verb ]] || return
  case $words[1] in
${shapes.map(verbCase).join("\n")}
    help) _arguments '1:verb:_sluice_verbs' ;;
  esac
}

if [ "$funcstack[1]" = _sluice ]; then _sluice "$@"; else compdef _sluice sluice; fi
`
}
