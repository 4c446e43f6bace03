/** A small share of `npm run fuzz`: whatever is sent over a WebSocket, the engine goes on. */

import { chromium, isMissing } from "../Engine/Render/Installed.ts"
import { fuzzDoors } from "../fuzz/Doors.ts"
import { maxWait } from "../fuzz/Innocent.ts"
import { describe, expect, it } from "../It.ts"
import { program } from "../Programs.ts"
import { seed } from "../Repetitions.ts"

describe.skipIf(isMissing)("an engine whose WebSockets are sent whatever can be sent", () => {
  it.scopedLive(
    `closes connections and never ends (SEED=${seed})`,
    function* () {
      const bin = program("bin")
      const { closes, faults, messages, wait } = yield* fuzzDoors({ bin, chromium: chromium ?? "", seed, each: 60 })
      expect(faults, `SEED=${seed}`).toEqual([])
      expect(wait).toBeLessThan(maxWait)
      expect(messages).toBe(240)
      expect(Object.keys(closes).length).toBeGreaterThan(2)
    },
    900_000
  )
})
