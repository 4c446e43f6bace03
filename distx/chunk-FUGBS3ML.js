import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  alone,
  everywhere
} from "./chunk-QWDGHURV.js";
import {
  loadVerbs,
  make,
  oneOf
} from "./chunk-FCWYZXNV.js";
import "./chunk-OH7QELJ7.js";
import {
  map9 as map,
  promise
} from "./chunk-JGKSI326.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Completions/Slot.ts
var endings = ["yaml", "yml", "json", "ts"], contentOf = (name, { description, value, words }) => words !== void 0 ? words : name === "profile" ? "profile" : value === "DIR" ? "folder" : value === "RUN" ? "run" : value === "FILE" || value === "PIPELINE" ? /\bdefinitions?\b/i.test(description) ? "definition" : "file" : "text", shapeOf = ({ name: verb, parameters, summary }) => {
  let all = Object.entries({ ...parameters, ...everywhere });
  return {
    verb,
    summary,
    flags: all.flatMap(([name, parameter]) => {
      let { description, kind, short, value } = parameter;
      if (kind !== "flag") return [];
      let content = contentOf(name, parameter);
      return [{ name, short, description, value: value === void 0 ? void 0 : { name: value, content } }];
    }),
    operands: all.flatMap(([name, parameter]) => {
      let { kind, many = !1, value = name } = parameter;
      return kind === "operand" ? [{ name: value, many, content: contentOf(name, parameter) }] : [];
    })
  };
}, spellings = ({ name, short }) => short === void 0 ? [`--${name}`] : [`--${name}`, `-${short}`], runIds = "sluice runs --limit 50 2>/dev/null | sed -n 's/^\\([0-9][0-9A-Za-z.-]*\\) .*/\\1/p'", profiles = "ls config 2>/dev/null | sed -n 's/^\\([0-9A-Za-z][0-9A-Za-z._-]*\\)\\.yaml$/\\1/p'";

// src/Cli/Completions/Bash.ts
var code = (content) => typeof content == "string" ? content : `words ${content.join(" ")}`, valueCases = ({ flags, verb }) => flags.flatMap(
  (flag) => flag.value === void 0 ? [] : [
    `    ${spellings(flag).map((each) => `'${verb} ${each}'`).join(" | ")}) content='${code(flag.value.content)}' ;;`
  ]
), operandCases = ({ operands, verb }) => operands.map(
  ({ content, many }, index) => `    '${verb} '${many ? "*" : `'${index}'`}) content='${code(content)}' ;;`
), bash = (verbs) => {
  let shapes = verbs.map(shapeOf), first = Object.entries(alone).flatMap(([name, { short }]) => [
    `--${name}`,
    ...short === void 0 ? [] : [`-${short}`]
  ]), flagCases = shapes.map(
    ({ flags, verb }) => `    ${verb}) flags='${flags.map(({ name }) => `--${name}`).join(" ")}' ;;`
  );
  return `# Completes sluice in bash; made by: sluice completions bash

# What follows a flag of a verb, or stands at a place among its operands.
_sluice_content() {
  content=
  case "$1 $2" in
${shapes.flatMap(valueCases).join(`
`)}
    *) return 1 ;;
  esac
}

_sluice_operand() {
  content=
  case "$1 $2" in
${shapes.flatMap(operandCases).join(`
`)}
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
${flagCases.join(`
`)}
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
`;
};

// src/Cli/Completions/Fish.ts
var quoted = (text) => `'${text.replace(/['\\]/g, "\\$&")}'`, offer = (content) => {
  if (typeof content != "string") return `-x -a ${quoted(content.join(" "))}`;
  switch (content) {
    case "definition":
    case "file":
      return "-r -F";
    case "folder":
      return "-x -a '(__fish_complete_directories)'";
    case "profile":
      return "-x -a '(__sluice_profiles)'";
    case "run":
      return "-x -a '(__sluice_runs)'";
    case "text":
      return "-x";
  }
}, linesOf = ({ flags, operands, summary, verb }) => {
  let here = `complete -c sluice -n '__fish_seen_subcommand_from ${verb}'`;
  return [
    "",
    `complete -c sluice -n __fish_use_subcommand -a ${verb} -d ${quoted(summary)}`,
    ...operands.flatMap(({ content, many }, index) => {
      if (content === "text") return [];
      let place = many ? "" : `; and __sluice_at ${index + 1}`, given = offer(content).replace(/^-[xr] /, "");
      return [`complete -c sluice -n '__fish_seen_subcommand_from ${verb}${place}' ${given}`];
    }),
    ...flags.map(
      ({ description, name, short, value }) => [
        here,
        `-l ${name}`,
        ...short === void 0 ? [] : [`-s ${short}`],
        ...value === void 0 ? [] : [offer(value.content)],
        `-d ${quoted(description)}`
      ].join(" ")
    )
  ];
}, fish = (verbs) => `# Completes sluice in fish; made by: sluice completions fish

function __sluice_runs
    ${runIds}
end

function __sluice_profiles
    ${profiles}
end

# Whether the word at the cursor is the verb's first, second, \u2026 operand; values of flags are not told apart from them.
function __sluice_at
    set -l words (commandline -opc | string match -v -- '-*')
    test (count $words) -eq (math $argv[1] + 1)
end

complete -c sluice -f
${Object.entries(alone).map(
  ([name, { description, short }]) => `complete -c sluice -n __fish_use_subcommand -l ${name}${short === void 0 ? "" : ` -s ${short}`} -d ${quoted(description)}`
).join(`
`)}
complete -c sluice -n __fish_use_subcommand -a help -d 'Shows the help of a verb.'
complete -c sluice -n '__fish_seen_subcommand_from help; and __sluice_at 1' -a ${quoted(verbs.map(({ name }) => name).join(" "))}
${verbs.map(shapeOf).flatMap(linesOf).join(`
`)}
`;

// src/Cli/Completions/Zsh.ts
var quoted2 = (text) => `'${text.replaceAll("'", "'\\''")}'`, part = (text) => text.replace(/[[\]:\\]/g, "\\$&"), action = (content) => {
  if (typeof content != "string") return `(${content.join(" ")})`;
  switch (content) {
    case "definition":
      return `_files -g "*.(${endings.join("|")})(-.)"`;
    case "file":
      return "_files";
    case "folder":
      return "_files -/";
    case "profile":
      return "_sluice_profiles";
    case "run":
      return "_sluice_runs";
    case "text":
      return " ";
  }
}, flagSpec = (flag) => {
  let value = flag.value === void 0 ? "" : `:${part(flag.value.name)}:${action(flag.value.content)}`;
  return spellings(flag).map((each) => {
    let takes = value !== "" && each.startsWith("--") ? "=" : "";
    return quoted2(`*${each}${takes}[${part(flag.description)}]${value}`);
  });
}, operandSpec = ({ content, many, name }, index) => quoted2(`${many ? "*" : index + 1}:${part(name)}:${action(content)}`), verbCase = ({ flags, operands, verb }) => [
  `    ${verb})`,
  "      _arguments -s \\",
  [...flags.flatMap(flagSpec), ...operands.map(operandSpec)].map((spec) => `        ${spec}`).join(` \\
`),
  "      ;;"
].join(`
`), aloneSpecs = Object.entries(alone).flatMap(
  ([name, { description, short }]) => flagSpec({ name, short, description, value: void 0 })
), zsh = (verbs) => {
  let shapes = verbs.map(shapeOf);
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
${shapes.map(({ summary, verb }) => `    ${quoted2(`${verb}:${summary.replaceAll(":", "\\:")}`)}`).join(`
`)}
  )
  _describe -t verbs verb verbs
}

_sluice() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \\
${aloneSpecs.map((spec) => `    ${spec}`).join(` \\
`)} \\
    '1:verb:_sluice_verbs' \\
    '*::argument:->verb' && return
  [[ $state == verb ]] || return
  case $words[1] in
${shapes.map(verbCase).join(`
`)}
    help) _arguments '1:verb:_sluice_verbs' ;;
  esac
}

if [ "$funcstack[1]" = _sluice ]; then _sluice "$@"; else compdef _sluice sluice; fi
`;
};

// src/Cli/Completions.ts
var scripts = { bash, zsh, fish }, command = make({
  parameters: { shell: oneOf("SHELL", ["bash", "zsh", "fish"], "bash, zsh or fish.") },
  details: "The script completes what the help shows; it calls sluice only to list the ids of runs. Print it again after an update.",
  examples: [
    { line: "sluice completions bash > ~/.local/share/bash-completion/completions/sluice", what: "for new shells" },
    { line: 'sluice completions zsh > "${fpath[1]}/_sluice"', what: "a folder of fpath; before compinit" },
    { line: "sluice completions fish > ~/.config/fish/completions/sluice.fish", what: "for new shells" }
  ],
  run: ({ shell }, { out }, verbs) => map(
    promise(() => loadVerbs(verbs)),
    (loaded) => out.write(scripts[shell](loaded))
  )
});
export {
  command
};
