/** Two hundred runs over three workers, or as many as `--runs` says: one worker is killed every 5 seconds, and Postgres is restarted twice, once after 25 seconds. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import { write } from "../Figures.ts"
import { isHere } from "../Postgres.ts"
import { fleet } from "./Fleet.ts"
import { build } from "./Sluice.ts"

const { values } = parseArgs({ options: { runs: { type: "string", default: "200" }, figures: { type: "string" } } })
if (isHere) {
  const folder = mkdtempSync(join(tmpdir(), "sluice-machines-"))
  const { asked, found, kills, millis } = await Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(build, (bin) =>
        fleet({
          bin,
          folder,
          runs: Number(values.runs),
          workers: 3,
          killEvery: 5000,
          told: (line) => console.error(line)
        })
      )
    )
  )
  const violated = found.filter(({ violations }) => violations.length > 0)
  console.log(
    `${found.length} runs over 3 workers, ${kills} kills, 2 restarts of Postgres: ${found.length - violated.length} complete and as they should be, in ${Math.round(millis / 1000)} s; ${asked} pages were asked for`
  )
  write(values.figures, [
    { what: "kills of workers, restarts of Postgres", value: `${kills}, 2`, bound: "", isWell: kills > 0 },
    {
      what: "runs over 3 workers that are as they should be",
      value: `${found.length - violated.length} of ${found.length}, in ${Math.round(millis / 1000)} s`,
      bound: "all",
      isWell: violated.length === 0
    }
  ])
  for (const { runId, violations } of violated) console.log(`${runId}: ${violations.join("; ")}`)
  if (violated.length === 0) rmSync(folder, { recursive: true })
  process.exit(violated.length === 0 ? 0 : 1)
} else {
  write(values.figures, [{ what: "runs over 3 workers", value: "not tried", bound: "a Postgres", isWell: true }])
  console.log("no Postgres here: runs on many machines were not tried")
}
