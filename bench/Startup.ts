/** Time until the first output: the built executable against an empty Node script, in turns. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { atMost, type Bench, median } from "./Measure/Figures.ts"
import { bin, folderFor, remove, wall } from "./Measure/Programs.ts"

const rounds = 25

export const bench: Bench = {
  name: "start-up",
  run: () => {
    const folder = folderFor()
    const empty = join(folder, "empty.mjs")
    writeFileSync(empty, "")
    const ratios = Array.from({ length: rounds }, () => {
      const bare = wall(empty)
      return wall(bin, "--help") / bare
    })
    remove(folder)
    return Promise.resolve([atMost("sluice --help / an empty node script", median(ratios), "×", 2.5)])
  }
}
