/** Reads commands of programs: small ones on the spot, large ones in a thread. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Worker from "../Worker.ts"
import { type Reading, read } from "./CommandText.ts"
import type { Limits } from "./Policy.ts"

/** Bytes that are read on the spot: 64 kB of keys, the slowest JSON there is, take some 15 ms to read and write. */
const atOnce = 64 * 1024
const program: Worker.Program = {
  source: new URL("./CommandThread.ts", import.meta.url),
  built: "command-thread.js",
  options: { env: {}, resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 } }
}

/** The thread ended: the command needs more memory than one may take. */
export class CommandLost extends Data.TaggedError("CommandLost")<{ readonly reason: string }> {}

export interface CommandReader {
  /** Undefined for a command that is too large to be read on the spot. */
  readonly readNow: (json: Uint8Array, limits: Limits) => Reading | undefined
  readonly readLarge: (team: string, json: Uint8Array, limits: Limits) => Effect.Effect<Reading, CommandLost>
}

/** For as long as the scope is open. */
export const make = Effect.gen(function* () {
  const ask = yield* Worker.pool(program, { size: 2, idle: "1 minute" })
  return {
    readNow: (json, limits) => (json.byteLength > atOnce ? undefined : read(json, limits)),
    readLarge: (team, json, limits) =>
      Effect.map(
        ask(team, { json, limits }, (reason) => new CommandLost({ reason })),
        (reading) => reading as Reading
      )
  } satisfies CommandReader
})
