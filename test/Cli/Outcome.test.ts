import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import { FileUnusable, MistakesFound, SettingInvalid, WrongUsage } from "../../src/Cli/CommandErrors.ts"
import { exitCodeOf, messageOf, settle } from "../../src/Cli/Outcome.ts"
import type { Program } from "../../src/Cli/Verb.ts"
import { InvalidBaseUrl, Unauthorized } from "../../src/Client/ClientErrors.ts"
import { DefinitionInvalid } from "../../src/Pipeline/Issue.ts"
import { RunFailed } from "../../src/Run.ts"
import { StepError, TooManyRejects } from "../../src/Step/StepError.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { summary as summaryOf } from "../Project.ts"
import { makeTerminal, sluice } from "./Console.ts"

const summary = summaryOf("r", { status: "failed", rows: 0 })

const invalid = new DefinitionInvalid({
  file: "p.yaml",
  issues: [
    { path: ["name"], message: "is missing", line: 1, column: 1 },
    { path: [], message: "is odd", line: 2, column: 3 }
  ]
})

const end = (program: Program, { debug = false, stop = new AbortController().signal, tty = false } = {}) =>
  Effect.promise(() => {
    const { terminal, written } = makeTerminal({ tty })
    return settle(program, { terminal, stop, debug }).then((code) => ({ code, ...written }))
  })

describe("the exit code", () => {
  it("tells what kind of failure it was", () => {
    const failed = (reason: StepError | DefinitionInvalid) => new RunFailed({ summary, reason })
    expect(exitCodeOf(failed(new TooManyRejects({ message: "m" })))).toBe(3)
    expect(exitCodeOf(failed(StepError.of(new Unauthorized({ method: "GET", url: "http://x/" }))))).toBe(1)
    expect(exitCodeOf(failed(StepError.of(invalid)))).toBe(78)
    expect(exitCodeOf(failed(invalid))).toBe(78)
    expect(exitCodeOf(invalid)).toBe(78)
    expect(exitCodeOf(new SettingInvalid({ name: "SLUICE_X", reason: "odd" }))).toBe(78)
    expect(exitCodeOf(new InvalidBaseUrl({ reason: "odd" }))).toBe(78)
    expect(exitCodeOf(new WrongUsage({ message: "odd" }))).toBe(2)
    expect(exitCodeOf(new MistakesFound({ mistakes: 1, invalid: 1, fine: 0 }))).toBe(78)
    expect(exitCodeOf(ConfigError.InvalidData(["SLUICE_X"], "odd"))).toBe(78)
    expect(exitCodeOf(new Unauthorized({ method: "GET", url: "http://x/" }))).toBe(1)
    expect(exitCodeOf(new FileUnusable({ path: "/x", reason: "odd" }))).toBe(1)
  })
})

describe("settings of lineage", () => {
  scoped("that cannot be used switch it off with a warning, whatever the verb", function* () {
    for (const [url, reason] of [
      ["marquez", "it is not an address"],
      ["http://u:p@x.example", "it contains a user name or a password"],
      ["file:///tmp/a%2Fb.jsonl", "its path cannot be decoded"]
    ]) {
      const { code, err } = yield* sluice(["explain", "dedupe"], { env: { OPENLINEAGE_URL: url } })
      expect(code).toBe(0)
      expect(err).toContain(`warning: the setting OPENLINEAGE_URL cannot be used: ${reason}`)
      expect(err).toContain("Lineage is switched off.")
    }
  })
})

describe("a failure", () => {
  scoped("and a warning do not steer the terminal, whatever a service has said", function* () {
    const failing = Effect.zipRight(
      Effect.logWarning("a\u001b[2Jb\u0007"),
      Effect.fail(new FileUnusable({ path: "/x", reason: "c\u001b]0;d\u009be" }))
    )
    expect((yield* end(failing)).err).toBe("warning: a[2Jb\nerror: cannot use /x: c]0;de\n")
  })

  it("of the settings names every variable", () => {
    const error = ConfigError.And(
      ConfigError.InvalidData(["SLUICE_A"], "expected a number"),
      ConfigError.MissingData(["SLUICE_B"], "expected it")
    )
    expect(messageOf(error)).toBe(
      "the setting SLUICE_A cannot be used: expected a number. Correct it in the environment or in the profile; the setting SLUICE_B cannot be used: expected it. Correct it in the environment or in the profile."
    )
  })

  scoped("is one line of plain text", function* () {
    const { code, err, out } = yield* end(new FileUnusable({ path: "/x", reason: "two\n  lines" }))
    expect([code, err, out]).toEqual([1, "error: cannot use /x: two lines\n", ""])
  })

  scoped("of a definition is one line for each mistake, and one behind them", function* () {
    expect((yield* end(invalid)).err).toBe(
      "p.yaml:1:1  name: is missing\np.yaml:2:3  is odd\nerror: 2 mistakes in p.yaml\n"
    )
    const gone = new DefinitionInvalid({ file: "p.yaml", issues: [{ path: [], message: "is not there" }] })
    expect((yield* end(gone)).err).toBe("error: p.yaml: is not there\n")
  })

  scoped("shows its cause and stack with --debug", function* () {
    const { err } = yield* end(new FileUnusable({ path: "/x", reason: "odd", cause: new Error("the root") }), {
      debug: true
    })
    expect(err).toContain("the root")
    expect(err).toContain("Outcome.test.ts")
  })

  scoped("is printed once, also with --debug, followed by its cause once", function* () {
    const reason = new StepError({ reason: "Odd", message: "the step broke", cause: new Error("the root") })
    for (const failing of [
      Effect.fail(new RunFailed({ summary, reason })),
      Effect.zipRight(Effect.forkDaemon(Effect.fail(reason)), Effect.fail(reason)),
      Effect.die(new Error("the step broke", { cause: new Error("the root") }))
    ]) {
      const { err } = yield* end(failing, { debug: true })
      expect(err.split("the step broke"), err).toHaveLength(2)
      expect(err.split("the root"), err).toHaveLength(2)
      expect(err).toContain("caused by the root")
    }
  })

  scoped("that is a defect is reported as a bug, without a stack", function* () {
    const { code, err } = yield* end(Effect.die(new TypeError("x is not a function")))
    expect([code, err]).toEqual([
      1,
      "error: x is not a function\nThis should not happen: it is a bug in sluice. --debug shows where.\n"
    ])
  })
})

describe("a program that is stopped", () => {
  scoped("puts its things in order and ends with the signal's code", function* () {
    for (const [name, code] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
      ["SIGHUP", 129]
    ] as const) {
      const stop = new AbortController()
      let tidied = false
      const program = Effect.sync(() => stop.abort(name)).pipe(
        Effect.zipRight(Effect.never),
        Effect.ensuring(Effect.sync(() => (tidied = true)))
      )
      expect(yield* end(program, { stop: stop.signal })).toEqual({ code, out: "", err: "" })
      expect(tidied).toBe(true)
    }
  })
})

describe("a program whose stdout was closed", () => {
  scoped("stops without a failure, and tells one that was there before", function* () {
    const stop = new AbortController()
    const leave = Effect.sync(() => stop.abort("EPIPE"))
    expect(yield* end(Effect.zipRight(leave, Effect.never), { stop: stop.signal })).toEqual({
      code: 0,
      out: "",
      err: ""
    })
    const failing = Effect.zipRight(leave, Effect.fail(new FileUnusable({ path: "/x", reason: "odd" })))
    expect(yield* end(failing, { stop: stop.signal })).toMatchObject({ code: 1, err: "error: cannot use /x: odd\n" })
  })
})

describe("a variable that is nearly a setting", () => {
  scoped("is named with the setting that was probably meant, and nothing else is", function* () {
    const env = { SLUICE_BASEURL: "x", SLUICE_APIKEY: "fc-1", SLUICE_DATA: "d", SLUICE_FLEET: "1", PATH: "/bin" }
    const { err } = yield* sluice(["schema"], { env })
    expect(err).toBe(
      "warning: SLUICE_BASEURL is not a setting, did you mean SLUICE_BASE_URL?\nwarning: SLUICE_APIKEY is not a setting, did you mean SLUICE_API_KEY?\n"
    )
  })
})

describe("the log", () => {
  scoped("is warnings and worse, a line each, on stderr", function* () {
    const program = Effect.logInfo("quiet").pipe(
      Effect.zipRight(Effect.logWarning("look", { at: 1 })),
      Effect.zipRight(Effect.logError("bad"))
    )
    expect(yield* end(program)).toEqual({ code: 0, out: "", err: 'warning: look {"at":1}\nerror: bad\n' })
    expect((yield* end(program, { debug: true })).err).toContain("info: quiet\n")
    expect((yield* end(program, { tty: true })).err).toContain("\u001b[33mwarning:\u001b[39m look")
  })
})
