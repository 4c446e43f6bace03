import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as ClientErrors from "../src/Client/ClientErrors.ts"
import * as LedgerErrors from "../src/Ledger/LedgerErrors.ts"
import { DefinitionInvalid, Unable } from "../src/Pipeline/Issue.ts"
import { failureJson, failureOf, SavedFailure } from "../src/Run/RunErrors.ts"
import * as SinkErrors from "../src/Sink/SinkErrors.ts"
import * as StepErrors from "../src/Step/StepError.ts"
import { restored, StepError } from "../src/Step/StepError.ts"
import { ExitCode } from "../src/TypedError/ExitCode.ts"
import type { Declared } from "../src/TypedError.ts"

interface ErrorClass {
  readonly prototype: Error & Declared
}

const isErrorClass = (value: unknown): value is ErrorClass =>
  typeof value === "function" && value.prototype instanceof Error

const classesIn = (module: object): ReadonlyArray<ErrorClass> => Object.values(module).filter(isErrorClass)

const call = { method: "GET", url: "http://x.example/" }
const kinds = Object.values(StepErrors).flatMap((value) =>
  isErrorClass(value) && "reason" in value ? [new value({ message: "m", reason: "Odd" })] : []
)
const declared = [
  ...[ClientErrors, SinkErrors, LedgerErrors, { DefinitionInvalid, Unable }]
    .flatMap(classesIn)
    .map(({ prototype: { exitCode, name, scope } }) => ({ name, scope, exitCode })),
  ...kinds.map(({ exitCode, reason: name, scope }) => ({ name, scope, exitCode }))
]

const named = (match: (error: Declared) => boolean) => declared.filter(match).map(({ name }) => name)

describe("an error class", () => {
  it("of the client, of steps, of sinks and of the ledger declares a scope and an exit code", () => {
    expect(declared.length).toBeGreaterThanOrEqual(60)
    const codes: ReadonlyArray<number> = Object.values(ExitCode)
    for (const { exitCode, name, scope } of declared) {
      expect(["row", "step", "run"], name).toContain(scope)
      expect(codes, name).toContain(exitCode)
    }
  })

  it("ends the run only where every row would fail the same way", () => {
    expect(named(({ scope }) => scope === "run").sort()).toEqual([
      "BudgetReached",
      "CircuitOpen",
      "ClientClosed",
      "DefinitionInvalid",
      "InsufficientStorage",
      "InvalidBaseUrl",
      "LedgerError",
      "Locked",
      // The request was not sent.
      "NetworkError",
      "OutputsHeld",
      "PaymentRequired",
      "RejectsUnwritable",
      "RunStopped",
      "Stopped",
      "TooManyRejects",
      "Unable",
      "Unauthorized"
    ])
  })

  it("has the documented exit code, and 1 otherwise", () => {
    expect(named(({ exitCode }) => exitCode === ExitCode.tooManyRejects)).toEqual(["TooManyRejects"])
    expect(named(({ exitCode }) => exitCode === ExitCode.budgetReached)).toEqual(["BudgetReached"])
    expect(named(({ exitCode }) => exitCode === ExitCode.locked)).toEqual(["Locked"])
    expect(named(({ exitCode }) => exitCode === ExitCode.checkFailed)).toEqual(["CheckFailed", "OutputsHeld"])
    expect(named(({ exitCode }) => exitCode === ExitCode.invalid).sort()).toEqual([
      "DefinitionInvalid",
      "InvalidBaseUrl",
      "PinUnusable",
      "Unable"
    ])
    expect(named(({ exitCode }) => exitCode === ExitCode.usage)).toEqual([])
  })
})

describe("a step's failure", () => {
  it("has the scope and the exit code of the error that caused it", () => {
    const sent = new ClientErrors.NetworkError({ ...call, reason: "cut", todo: "", retryable: true, sent: true })
    const unsent = new ClientErrors.NetworkError({ ...call, reason: "refused", todo: "", retryable: true, sent: false })
    expect(StepError.of(sent)).toMatchObject({ reason: "NetworkError", scope: "row", exitCode: 1, cause: sent })
    expect(StepError.of(unsent)).toMatchObject({ reason: "NetworkError", scope: "run", exitCode: 1 })
    const locked = new LedgerErrors.Locked({ name: "state p/a", owner: "another", beat: 1 })
    expect(StepError.of(locked)).toMatchObject({ reason: "Locked", scope: "run", exitCode: 5, message: locked.message })
  })

  it("concerns its row alone and ends with 1 where it declares nothing", () => {
    expect(new StepError({ reason: "Odd", message: "m" })).toMatchObject({ scope: "row", exitCode: 1 })
  })

  it("keeps its class and all that it says when its place is added", () => {
    const failure = new StepErrors.CheckFailed({ message: "m", cause: 1, status: 404, attempts: 2 })
    const placed = failure.with({ step: "s", definedAt: "p.yaml:1:1" })
    expect(placed).toBeInstanceOf(StepErrors.CheckFailed)
    expect(placed).not.toBeInstanceOf(StepErrors.Stopped)
    expect(placed).toMatchObject({
      _tag: "StepError",
      ...{ reason: "CheckFailed", message: "m", cause: 1, status: 404, attempts: 2, scope: "row", exitCode: 6 },
      ...{ step: "s", definedAt: "p.yaml:1:1" }
    })
    expect(failure.step).toBeUndefined()
  })

  it("is restored from its reason, as version 0.1 saved it", () => {
    for (const kind of kinds) {
      const again = restored({ reason: kind.reason, message: "m" })
      expect(again).toBeInstanceOf(kind.constructor)
      expect(again).toMatchObject({ reason: kind.reason, scope: kind.scope, exitCode: kind.exitCode, message: "m" })
    }
    expect(restored({ reason: "Locked", message: "m" }, [LedgerErrors.Locked])).toMatchObject({
      reason: "Locked",
      scope: "run",
      exitCode: 5
    })
    expect(restored({ reason: "Odd", message: "m" })).toMatchObject({ reason: "Odd", scope: "row", exitCode: 1 })
  })
})

describe("a failure", () => {
  it("of another copy of the library is known by its tag and its reason", async () => {
    const copy: typeof StepErrors = await import("../src/Step/StepError.ts?copy" as "../src/Step/StepError.ts")
    const failure = new copy.StepError({ reason: "NoLuck", message: "m" })
    expect(Object.getPrototypeOf(failure)).not.toBe(StepError.prototype)
    expect(failure).toBeInstanceOf(StepError)
    expect(failure).not.toBeInstanceOf(StepErrors.BudgetReached)
    expect(new copy.BudgetReached({ message: "m" })).toBeInstanceOf(StepErrors.BudgetReached)
    expect(new Error("m")).not.toBeInstanceOf(StepError)
    expect(null).not.toBeInstanceOf(StepError)
  })

  it("that was saved with its row has its class, status and attempts again", () => {
    const failed = new StepErrors.CheckFailed({ message: "m", status: 404, attempts: 2 })
    const [, error] = failureOf(
      Schema.decodeUnknownSync(SavedFailure)(JSON.parse(JSON.stringify(failureJson([{ data: { a: 1 } }, failed]))))
    )
    expect(error).toBeInstanceOf(StepErrors.CheckFailed)
    expect(error).toMatchObject({ exitCode: 6, status: 404, attempts: 2 })
  })
})
