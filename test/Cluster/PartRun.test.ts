/** Failures of a part, and how often each of them is retried. */
import { SqlError } from "@effect/sql/SqlError"
import { describe, expect, it } from "@effect/vitest"
import { PartFailed, retriesAfter, runFailed } from "../../src/Cluster/PartRun.ts"
import { LedgerError } from "../../src/Ledger/LedgerErrors.ts"
import { SavedValueInvalid } from "../../src/Row/SavedValue.ts"
import { RunFailed } from "../../src/Run.ts"
import { StepError } from "../../src/Step.ts"
import { summary as summaryOf } from "../Project.ts"

const lost = new SqlError({ cause: new Error("the connection was lost"), message: "no" })
const ledgerError = (cause: unknown) => new LedgerError({ place: "/l", doing: "reading", reason: "no", cause })
const unreadable = ledgerError(new SavedValueInvalid({ place: "the options", problem: "no" }))

const summary = summaryOf("r", { status: "failed", rows: 0 })

const inRun = (reason: StepError) => retriesAfter(runFailed(new RunFailed({ summary, reason })))
const bare = (cause: unknown) =>
  retriesAfter(new PartFailed({ status: "failed", reason: "LedgerError", message: "no", cause }))

describe("a failed part", () => {
  it("is tried again when the database was away", () => {
    expect([bare(ledgerError(lost)), inRun(StepError.of(ledgerError(lost)))]).toEqual([1200, 1200])
  })

  it("is not tried again when the ledger has what this version cannot read", () => {
    expect([bare(unreadable), inRun(StepError.of(unreadable))]).toEqual([0, 0])
  })

  it("is not tried again when a step failed at a database of its own", () => {
    expect(inRun(new StepError({ reason: "Warehouse", message: "no", cause: lost }))).toBe(0)
  })
})
