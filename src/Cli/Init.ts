/** `sluice init`: a first pipeline that runs. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  folder: Parameter.optional("DIR", "Where to; default: the current folder.")
}

export type InitParameters = Parameter.Values<typeof parameters>

export const init = Verb.make({
  name: "init",
  summary: "Writes a first pipeline with its own small site, example settings and a .gitignore.",
  details: "What is already there stays as it is.",
  parameters,
  examples: [
    { line: "sluice init", what: "here" },
    { line: "sluice init gather", what: "in a new folder" }
  ],
  load: () => import("./Init/Program.ts")
})
