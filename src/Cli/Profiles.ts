/** `sluice profile`: the storage that browser sessions of the local engine share by a name. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  action: Parameter.oneOf("ACTION", ["list", "rm"], "list or rm."),
  name: Parameter.optional("NAME", "For rm: the profile."),
  team: Parameter.withDefault(
    Parameter.text("TEAM", "Of whose keys the profiles are; default: default, whose key the engine makes itself."),
    "default"
  ),
  data: Parameter.text("DIR", "Folder of the local engine's store; default: .sluice, or SLUICE_DATA."),
  profile: Parameter.text("NAME", "Settings from config/NAME.yaml or a path; the environment goes before them."),
  json: Parameter.toggle("Prints a line of JSON for each profile.")
}

export type ProfilesParameters = Parameter.Values<typeof parameters>

export const profile = Verb.make({
  name: "profile",
  summary: "Shows the browser profiles of the local engine, and removes them.",
  details:
    "A profile is what browser sessions with the same profile name share: cookies, local storage, IndexedDB. It comes to be when a session that saves its changes ends. Removing one signs it out everywhere; a session that is open goes on.",
  parameters,
  examples: [
    { line: "sluice profile list", what: "names, sizes, and when each was saved" },
    { line: "sluice profile rm shop", what: "forgets its cookies and storage" }
  ],
  load: () => import("./Profiles/Program.ts")
})
