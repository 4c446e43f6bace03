/** `sluice check`: every mistake of a definition at its place, without a request. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  files: Parameter.many(
    "FILE",
    "A definition, or a folder: every YAML and JSON definition in it. Test and lock files among the arguments are ignored."
  ),
  complete: Parameter.toggle("Makes secrets that are not set mistakes, as they are for a run; else they are warnings."),
  json: Parameter.toggle("Prints one JSON object with every mistake and warning on stdout."),
  "allow-code": Parameter.allowCode,
  ...Parameter.trust
}

export type CheckParameters = Parameter.Values<typeof parameters>

export const check = Verb.make({
  name: "check",
  summary: "Finds every mistake in definitions, as file:line:column; nothing is sent anywhere.",
  details: "Exit code 78 when there is a mistake; warnings do not change it.",
  parameters,
  examples: [
    { line: "sluice check pipelines", what: "every definition of a folder" },
    { line: "sluice check pipelines/*.yaml --json", what: "for an editor or a build" }
  ],
  load: () => import("./Check/Program.ts")
})
