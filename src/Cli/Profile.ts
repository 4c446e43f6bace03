/** `sluice profile`: lists and removes browser profiles, the named storage that the local engine's browser sessions share. */

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Profiles, layer as profiles } from "../Engine/Browser/Profiles.ts"
import * as Logins from "../Engine/Fetch/Logins.ts"
import * as Storage from "../Engine/Store/Storage.ts"
import * as Store from "../Engine/Store/Store.ts"
import { commandFailed, wrongUsage } from "./CommandErrors.ts"
import { withEngineStore } from "./Folder.ts"
import { bytes, isoOrNull, writeTable } from "./Format.ts"
import * as Parameter from "./Parameter.ts"
import * as SharedFlags from "./SharedFlags.ts"
import type { Terminal } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  action: Parameter.oneOf("ACTION", ["list", "rm"], "list or rm."),
  name: Parameter.optional("NAME", "For rm: the profile."),
  team: Parameter.withDefault(
    Parameter.text(
      "TEAM",
      "The team that the profiles belong to; default: default, whose key the engine creates itself."
    ),
    "default"
  ),
  data: SharedFlags.data("the local engine's store"),
  profile: SharedFlags.profile,
  json: Parameter.toggle("Prints a line of JSON for each profile.")
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "A profile is what browser sessions with the same profile name share: cookies, local storage, IndexedDB. It is created when a session that saves its changes ends. Removing a profile signs it out everywhere; open sessions continue.",
  parameters,
  examples: [
    { line: "sluice profile list", what: "names, sizes, and when each was saved" },
    { line: "sluice profile rm shop", what: "forgets its cookies and storage" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** The engine does not remove the profile: it does not exist, or a session is about to save it. */
const refused = ({ error }: { readonly error: string }) =>
  commandFailed(`${error} sluice profile list shows the profiles`)

const list = ({ json, team }: Options, { err, out }: Terminal) =>
  Effect.gen(function* () {
    const all = yield* Effect.flatMap(Profiles, (profiles) => profiles.list(team))
    if (json) {
      for (const { savedAt, ...profile } of all)
        out.write(`${JSON.stringify({ ...profile, savedAt: isoOrNull(savedAt) })}\n`)
    } else if (all.length === 0) err.write(`the team ${team} has no browser profiles\n`)
    else {
      const rows = all.map(({ bytes: size, isInUse, name, savedAt }) => [
        name,
        bytes(size),
        isoOrNull(savedAt)?.slice(0, 16).replace("T", " ") ?? "not yet",
        isInUse ? "by a session" : ""
      ])
      writeTable([["profile"], ["size", "right"], ["saved"], ["in use"]], rows, out)
    }
  })

const remove = ({ json, name, team }: Options, { err, out }: Terminal) =>
  Effect.gen(function* () {
    if (name === undefined) {
      return yield* wrongUsage("sluice profile rm takes the NAME of a profile")
    }
    yield* Effect.flatMap(Profiles, (profiles) => profiles.remove(team, name)).pipe(
      Effect.catchTags({ Conflict: refused, NotFound: refused })
    )
    if (json) out.write(`${JSON.stringify({ removed: name })}\n`)
    else err.write("removed 1 profile\n")
  })

const run = (options: Options, terminal: Terminal) =>
  withEngineStore(options, terminal, "there are no browser profiles", (dataDir) => {
    const act = options.action === "rm" ? remove(options, terminal) : list(options, terminal)
    return Effect.provide(
      act,
      profiles(dataDir).pipe(
        Layer.provide([Logins.none, Store.layer(dataDir), Layer.succeed(Storage.StorageLimits, Storage.defaults)])
      )
    )
  })
