import { expect, live } from "../It.ts"
import { tempDir } from "../Local.ts"
import { describeWithPostgres } from "../WithPostgres.ts"
import { fleet } from "./Fleet.ts"
import { build } from "./Sluice.ts"

describeWithPostgres("workers that are killed, and a database that is restarted", () => {
  live("lose no row and double none: their shards go on elsewhere", function* () {
    const bin = yield* build
    const folder = yield* tempDir
    const lines: Array<string> = []
    const { found, kills } = yield* fleet({
      bin,
      folder,
      runs: 6,
      workers: 2,
      killEvery: 2500,
      told: (line) => lines.push(line)
    })
    expect(
      found.flatMap(({ violations }) => violations),
      lines.join("\n")
    ).toEqual([])
    expect(found.length).toBe(6)
    expect(kills).toBeGreaterThan(0)
  })
})
