/** The script for bash 4 and later (and the 3.2 of macOS): tables of the verbs, and one function that reads them. */
import { alone } from "../Arguments.ts"
import type { LoadedVerb } from "../Verb.ts"
import { type Content, endings, profiles, runIds, type Shape, shapeOf, spellings } from "./Slot.ts"

const code = (content: Content): string => (typeof content === "string" ? content : `words ${content.join(" ")}`)

/** `run --on | run -o) content='words here cluster' ;;` */
const valueCases = ({ flags, verb }: Shape): ReadonlyArray<string> =>
  flags.flatMap((flag) =>
    flag.value === undefined
      ? []
      : [
          `    ${spellings(flag)
            .map((each) => `'${verb} ${each}'`)
            .join(" | ")}) content='${code(flag.value.content)}' ;;`
        ]
  )

/** Operands by their number; the last of many stands for all that follow. */
const operandCases = ({ operands, verb }: Shape): ReadonlyArray<string> =>
  operands.map(
    ({ content, many }, index) => `    '${verb} '${many ? "*" : `'${index}'`}) content='${code(content)}' ;;`
  )

export const bash = (verbs: ReadonlyArray<LoadedVerb>): string => {
  const shapes = verbs.map(shapeOf)
  const first = Object.entries(alone).flatMap(([name, { short }]) => [
    `--${name}`,
    ...(short === undefined ? [] : [`-${short}`])
  ])
  const flagCases = shapes.map(
    ({ flags, verb }) => `    ${verb}) flags='${flags.map(({ name }) => `--${name}`).join(" ")}' ;;`
  )
  return `# Completes sluice in bash; made by: sluice completions bash

# What follows a flag of a verb, or stands at a place among its operands.
_sluice_content() {
  content=
  case "$1 $2" in
${shapes.flatMap(valueCases).join("\n")}
    *) return 1 ;;
  esac
}

_sluice_operand() {
  content=
  case "$1 $2" in
${shapes.flatMap(operandCases).join("\n")}
    *) content=text ;;
  esac
}

_sluice() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} verb='' flags='' content='' place=0 i word
  COMPREPLY=()
  # --flag=value comes as three words.
  if [[ $cur == = ]]; then cur=''; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == = ]]; then
      ((i++))
    elif [[ $word == -* ]]; then
      if [[ -n $verb && \${COMP_WORDS[i + 1]} != = ]] && _sluice_content "$verb" "$word"; then ((i++)); fi
    elif [[ -z $verb ]]; then
      verb=$word
    else
      ((place++))
    fi
  done
  if [[ -z $verb ]]; then
    COMPREPLY=($(compgen -W '${shapes.map(({ verb }) => verb).join(" ")} ${first.join(" ")}' -- "$cur"))
    return
  fi
  case "$verb" in
${flagCases.join("\n")}
    help)
      COMPREPLY=($(compgen -W '${shapes.map(({ verb }) => verb).join(" ")}' -- "$cur"))
      return
      ;;
  esac
  if ! _sluice_content "$verb" "$prev"; then
    if [[ $cur == -* ]]; then
      COMPREPLY=($(compgen -W "$flags" -- "$cur"))
      return
    fi
    _sluice_operand "$verb" "$place"
  fi
  local IFS=$'\\n'
  case "$content" in
    'words '*) COMPREPLY=($(IFS=' '; compgen -W "\${content#words }" -- "$cur")) ;;
    folder) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")) ;;
    file) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")) ;;
    definition)
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -d -- "$cur"; compgen -f -- "$cur" | grep -E '\\.(${endings.join("|")})$'))
      ;;
    profile)
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -W "$(${profiles})" -- "$cur"; compgen -f -- "$cur" | grep -E '\\.ya?ml$'))
      ;;
    run) COMPREPLY=($(compgen -W "$(${runIds})" -- "$cur")) ;;
  esac
}

complete -F _sluice sluice
`
}
