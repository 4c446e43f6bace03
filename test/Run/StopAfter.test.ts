import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Ledger } from "../../src/Ledger.ts"
import * as Run from "../../src/Run.ts"
import { assert, describe, it } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { jsonLines, type Project, project, rowsIn } from "../Project.ts"

/** Runs steps over `rows.jsonl`, or resumes a run with them; gives what the run, its reject file and the ledger say of rejects. */
const runIn = ({ checked, execute, ledger }: Project, steps: string, resume?: string) =>
  Effect.gen(function* () {
    const definition = yield* checked(`  - read: rows.jsonl\n${steps}`)
    const resumed =
      resume === undefined
        ? {}
        : yield* Effect.provideService(Run.resuming(resume, definition, { withCurrent: true }), Ledger, ledger)
    const { outcome, rejects, runId } = yield* execute(definition, { allowCode: true, ...resumed })
    const record = yield* ledger.find(runId)
    const known = yield* Stream.runCollect(ledger.history.rejects(runId, { which: "all" }))
    return {
      id: runId,
      outcome,
      counted: record?.rejects,
      inLedger: [...known].map(({ row }) => row),
      inFile: rejects.map(({ row }) => row)
    }
  })

const count = 40

/** Rows whose number is divisible by three are bad: 0, 3, 6, … */
const rows = Array.from({ length: count }, (_, n) => ({ n, v: n % 3 === 0 ? "bad" : n }))
const bad = rows.filter(({ v }) => v === "bad")

const cases: Readonly<Record<string, (stopAfter: number | string) => string>> = {
  select: (stopAfter) => `  - select: { n: n, w: v + 1 }\n    onError: { reject: true, stopAfter: ${stopAfter} }\n`,
  check: (stopAfter) =>
    `  - check: [{ rule: 'v != "bad"', message: bad, onFail: reject }]\n    onError: { reject: true, stopAfter: ${stopAfter} }\n`,
  use: (stopAfter) => `  - use: { module: ./code.mjs }\n    onError: { reject: true, stopAfter: ${stopAfter} }\n`,
  "a write": (stopAfter) =>
    `  - write: { csv: typed.csv, columns: { n: integer, v: integer } }\n    onError: { reject: true, stopAfter: ${stopAfter} }\n`
}

describe("stopAfter of a step that works on chunks", () => {
  for (const [name, steps] of Object.entries(cases)) {
    it.scopedLive.skipIf(skipsLong)(
      `ends the run at the n-th reject of ${name}, and a resume continues with the next row`,
      function* () {
        const here = yield* project({
          files: {
            "rows.jsonl": jsonLines(rows),
            "code.mjs": 'export default (row) => { if (row.v === "bad") throw new Error("bad"); return row }\n'
          }
        })
        const rest = "  - select: { n: n }\n  - write: { jsonl: good.jsonl }\n"
        const first = yield* runIn(here, `${steps(5)}${rest}`)
        assert.strictEqual(first.outcome._tag, "Left")
        assert.include(String(first.outcome._tag === "Left" && first.outcome.left.message), "rejected 5 rows")
        assert.deepStrictEqual([first.counted, first.inFile, first.inLedger], [5, bad.slice(0, 5), bad.slice(0, 5)])
        const second = yield* runIn(here, `${steps(6)}${rest}`, first.id)
        assert.deepStrictEqual([second.counted, second.inFile, second.inLedger], [6, bad.slice(0, 6), bad.slice(0, 6)])
        const last = yield* runIn(here, `${steps("100%")}${rest}`, first.id)
        assert.strictEqual(last.outcome._tag, "Right", JSON.stringify(last.outcome))
        assert.deepStrictEqual([last.counted, last.inFile, last.inLedger], [bad.length, bad, bad])
        assert.deepStrictEqual(
          rowsIn(`${here.folder}/good.jsonl`).map(({ n }) => n),
          rows.filter(({ v }) => v !== "bad").map(({ n }) => n)
        )
      }
    )
  }
})
