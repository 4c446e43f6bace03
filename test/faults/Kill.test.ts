import { describe, expect, live } from "../It.ts"
import { tempDir } from "../Local.ts"
import { campaign } from "./Campaign.ts"
import { small } from "./World.ts"

describe("a run that is killed at any moment", () => {
  live(
    "is resumed to the same files, rejects, credits and state, with nothing lost, doubled or paid twice",
    function* () {
      const lines: Array<string> = []
      const folder = yield* tempDir
      const { all } = yield* campaign({ seed: 20, kills: 8, size: small, folder, told: (line) => lines.push(line) })
      expect(
        all.flatMap(({ violations }) => violations),
        lines.join("\n")
      ).toEqual([])
      expect(all.flatMap(({ kills }) => kills).length).toBeGreaterThanOrEqual(4)
    }
  )
})
