/** Many trials: an undisturbed run for each way of running, then kills until there were enough. */
import { mkdirSync, rmSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Chance from "./Chance.ts"
import { build, serve } from "./Sluice.ts"
import { type Kill, momentOf, type Place, trial, undisturbed } from "./Trial.ts"
import { linesOf, type Size, world } from "./World.ts"

/** Most kills of one run. */
const livesTaken = 4

export interface Options {
  readonly seed: number
  readonly kills: number
  readonly size: Size
  /** The folder of everything; trials that went well leave nothing in it. */
  readonly folder: string
  readonly told: (line: string) => void
}

/** `service`: the engine lives on; `own`: it is killed with the run. */
export type Way = "service" | "own"

export interface Found {
  readonly way: Way
  readonly folder: string
  readonly kills: ReadonlyArray<Kill>
  readonly violations: ReadonlyArray<string>
}

const described = ({ committed, found, kind, wait }: Kill): string =>
  `${kind}+${wait} ms: ${found}${found === "running" && committed ? ", committed" : ""}`

export const campaign = ({ folder, kills, seed, size, told }: Options) =>
  Effect.gen(function* () {
    const chance = Chance.make(seed)
    const bin = yield* build
    const { file } = yield* world(folder, size)
    const dataDir = `${folder}/service`
    mkdirSync(dataDir)
    const { env } = yield* serve(bin, dataDir)
    const placeOf = (way: Way, name: string): Place => ({
      bin,
      file,
      folder: `${folder}/${name}`,
      service: way === "service" ? { env, dataDir } : undefined
    })
    const models = {
      service: yield* undisturbed(placeOf("service", "undisturbed-service")),
      own: yield* undisturbed(placeOf("own", "undisturbed-own"))
    }
    told(`undisturbed: ${models.service.millis} ms with a service, ${models.own.millis} ms with an engine of its own`)
    for (const { result } of Object.values(models)) {
      for (const [name, count] of Object.entries(linesOf(size))) {
        const found = (result[name] ?? []).flatMap((text) => text.trimEnd().split("\n")).length
        if (found !== count) return yield* Effect.dieMessage(`undisturbed, ${name} has ${found} lines and not ${count}`)
      }
    }
    const all: Array<Found> = []
    let done = 0
    while (done < kills && all.length < kills) {
      const way = all.length % 2 === 0 ? "service" : "own"
      const model = models[way]
      const place = placeOf(way, `trial-${all.length + 1}`)
      const lives = Math.min(1 + Math.floor(chance.below(livesTaken)), kills - done)
      const moments = Array.from({ length: lives }, (_, life) => momentOf(chance, model.millis / (life + 1)))
      const { kills: killed, violations } = yield* trial(place, moments, model)
      done += killed.length
      all.push({ way, folder: place.folder, kills: killed, violations })
      told(`${all.length} (${way}): ${killed.map(described).join("; ") || "it was never killed"}`)
      for (const violation of violations) told(`  VIOLATED ${violation}`)
      if (violations.length === 0) rmSync(place.folder, { recursive: true })
    }
    return { all, models }
  })
