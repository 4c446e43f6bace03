/** `sluice completions`: verbs, flags and their values at the tabulator key. */
import * as Parameter from "./Parameter.ts"
import type { Terminal } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

export const shells = ["bash", "zsh", "fish"] as const

const parameters = {
  shell: Parameter.oneOf("SHELL", shells, "bash, zsh or fish.")
}

export type CompletionsParameters = Parameter.Values<typeof parameters>

/** Of all verbs, itself among them. */
export const completions = (verbs: () => ReadonlyArray<Verb.Verb>): Verb.Verb =>
  Verb.make<typeof parameters>({
    name: "completions",
    summary: "Prints a script with which a shell completes verbs, flags, files and runs.",
    details:
      "What is completed is what the help shows. The script calls sluice for nothing but ids of runs. Print it again after an update.",
    parameters,
    examples: [
      { line: "sluice completions bash > ~/.local/share/bash-completion/completions/sluice", what: "for new shells" },
      { line: 'sluice completions zsh > "$' + '{fpath[1]}/_sluice"', what: "a folder of fpath; before compinit" },
      { line: "sluice completions fish > ~/.config/fish/completions/sluice.fish", what: "for new shells" }
    ],
    load: () =>
      import("./Completions/Program.ts").then(({ program }) => ({
        program: (options: CompletionsParameters, terminal: Terminal) => program(options, terminal, verbs())
      }))
  })
