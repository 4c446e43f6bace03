/** `sluice completions`: prints completion scripts for bash, zsh and fish. */
import * as Effect from "effect/Effect"
import { bash } from "./Completions/Bash.ts"
import { fish } from "./Completions/Fish.ts"
import { zsh } from "./Completions/Zsh.ts"
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const scripts = { bash, zsh, fish } as const

export const command = Verb.make({
  parameters: { shell: Parameter.oneOf("SHELL", ["bash", "zsh", "fish"], "bash, zsh or fish.") },
  details:
    "The script completes what the help shows; it calls sluice only to list the ids of runs. Print it again after an update.",
  examples: [
    { line: "sluice completions bash > ~/.local/share/bash-completion/completions/sluice", what: "for new shells" },
    { line: 'sluice completions zsh > "$' + '{fpath[1]}/_sluice"', what: "a folder of fpath; before compinit" },
    { line: "sluice completions fish > ~/.config/fish/completions/sluice.fish", what: "for new shells" }
  ],
  run: ({ shell }, { out }, verbs) =>
    Effect.map(
      Effect.promise(() => Verb.loadVerbs(verbs)),
      (loaded) => out.write(scripts[shell](loaded))
    )
})
