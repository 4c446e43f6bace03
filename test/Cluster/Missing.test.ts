/** Machines without pg-boss: what they can do, and what they are told. */
import { spawn } from "node:child_process"
import * as Effect from "effect/Effect"
import { folderOf } from "../Cli/Project.ts"
import { expect, live } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { place } from "../Postgres.ts"
import { program } from "../Programs.ts"
import { describeBeside } from "../WithPostgres.ts"

/** Node finds no package of this name. */
const without = `data:text/javascript,${encodeURIComponent(`import { register } from "node:module"
register("data:text/javascript," + encodeURIComponent(\`export const resolve = (name, context, next) => {
  if (name === "pg-boss") throw new Error("Cannot find package 'pg-boss'")
  return next(name, context)
}\`))`)}`

const sluice = (cwd: string, url: string, ...words: ReadonlyArray<string>) =>
  Effect.promise(
    () =>
      new Promise<{ readonly code: number | null; readonly err: string }>((resolve) => {
        const child = spawn(process.execPath, ["--import", without, program("bin"), ...words], {
          cwd,
          env: { PATH: process.env.PATH, SLUICE_DATABASE_URL: url },
          stdio: ["ignore", "ignore", "pipe"]
        })
        let err = ""
        child.stderr.setEncoding("utf8").on("data", (text: string) => {
          err += text
        })
        child.on("close", (code) => resolve({ code, err }))
      })
  )

describeBeside("without pg-boss", () => {
  live.skipIf(skipsLong)(
    "a run is not handed in, with the command that installs it; workers and runs are listed all the same",
    function* () {
      const root = yield* folderOf({
        "p.yaml": "version: 1\nname: p\nsteps:\n  - read: in.jsonl\n  - write: { jsonl: out.jsonl }\n",
        "in.jsonl": "{}\n"
      })
      const url = yield* place
      const run = yield* sluice(root, url, "run", `${root}/p.yaml`, "--on", "cluster", "--out", root)
      expect([run.code, run.err]).toEqual([1, expect.stringContaining("Run: npm install pg-boss@12.38.0")])
      for (const words of [["worker", "list"], ["runs"]]) expect((yield* sluice(root, url, ...words)).code).toBe(0)
    }
  )
})
