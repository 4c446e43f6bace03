/** Every verb, loaded, and the arguments of a command line read at once. */
import { interpret, verbNamed } from "../../src/Cli/Arguments.ts"
import { loadVerbs } from "../../src/Cli/Verb.ts"
import { verbs } from "../../src/Cli.ts"

export const loaded = await loadVerbs(verbs)

export const readNow = (words: ReadonlyArray<string>) =>
  interpret(
    words,
    verbs.map(({ name }) => name),
    loaded.find(({ name }) => name === verbNamed(words))
  )
