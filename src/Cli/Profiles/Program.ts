/** Opens the engine's store, and lists or removes browser profiles. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Profiles, layer as profiles } from "../../Engine/Browser/Profiles.ts"
import * as Store from "../../Engine/Store.ts"
import { WrongUsage } from "../Errors.ts"
import type { ProfilesParameters } from "../Profiles.ts"
import { within } from "../Store.ts"
import { table } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"
import { bytes } from "../Words.ts"

/** The engine does not remove it: there is none, or a session is about to save it. */
class ProfileRefused extends Data.TaggedError("ProfileRefused")<{ readonly reason: string }> {
  override get message() {
    return `${this.reason} sluice profile list shows what there is`
  }
}

const list = ({ json, team }: ProfilesParameters, { err, out }: Terminal) =>
  Effect.gen(function* () {
    const all = yield* Effect.flatMap(Profiles, (profiles) => profiles.list(team))
    const saved = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString())
    if (json) {
      for (const { savedAt, ...profile } of all)
        out.write(`${JSON.stringify({ ...profile, savedAt: saved(savedAt) })}\n`)
    } else if (all.length === 0) err.write(`the team ${team} has no browser profiles\n`)
    else {
      const rows = all.map(({ bytes: size, isInUse, name, savedAt }) => [
        name,
        bytes(size),
        saved(savedAt)?.slice(0, 16).replace("T", " ") ?? "not yet",
        isInUse ? "by a session" : ""
      ])
      out.write(`${table([["profile"], ["size", "right"], ["saved"], ["in use"]], rows, out).join("\n")}\n`)
    }
  })

const remove = ({ json, name, team }: ProfilesParameters, { err, out }: Terminal) =>
  Effect.gen(function* () {
    if (name === undefined) {
      return yield* new WrongUsage({ reason: "sluice profile rm takes the NAME of a profile" })
    }
    yield* Effect.flatMap(Profiles, (profiles) => profiles.remove(team, name)).pipe(
      Effect.catchTags({
        Conflict: ({ error }) => new ProfileRefused({ reason: error }),
        NotFound: ({ error }) => new ProfileRefused({ reason: error })
      })
    )
    if (json) out.write(`${JSON.stringify({ removed: name })}\n`)
    else err.write("removed 1 profile\n")
  })

export const program = (options: ProfilesParameters, terminal: Terminal) =>
  within(options, terminal, "there are no browser profiles", (dataDir) => {
    const act = options.action === "rm" ? remove(options, terminal) : list(options, terminal)
    return Effect.provide(act, Layer.provide(profiles(dataDir), Store.layer(dataDir)))
  })
