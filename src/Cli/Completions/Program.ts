/** Prints the script of a shell. */
import * as Effect from "effect/Effect"
import type { CompletionsParameters } from "../Completions.ts"
import type { Terminal } from "../Terminal.ts"
import type { Program, Verb } from "../Verb.ts"
import { bash } from "./Bash.ts"
import { fish } from "./Fish.ts"
import { zsh } from "./Zsh.ts"

const scripts = { bash, fish, zsh } as const

export const program = ({ shell }: CompletionsParameters, { out }: Terminal, verbs: ReadonlyArray<Verb>): Program =>
  Effect.sync(() => out.write(scripts[shell](verbs)))
