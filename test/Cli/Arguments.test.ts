import * as Effect from "effect/Effect"
import { type Request, read } from "../../src/Cli/Arguments.ts"
import * as Parameter from "../../src/Cli/Parameter.ts"
import * as Verb from "../../src/Cli/Verb.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { makeTerminal, sluice } from "./Console.ts"
import { readNow } from "./Loaded.ts"

const mistakeOf = (...words: ReadonlyArray<string>) => {
  const request = readNow(words)
  return request.ask === "mistake" ? request.message : request.ask
}

/** A verb that gives back what it was given. */
const received: Array<unknown> = []
const command = Verb.make({
  parameters: {
    file: Parameter.one("FILE", "One."),
    more: Parameter.many("MORE", "More."),
    input: Parameter.pairs("NAME=VALUE", "Pairs.", "i"),
    limit: Parameter.integer("N", "Number.", { minimum: 1, maximum: 10 }),
    out: Parameter.text("DIR", "Text.", "o"),
    json: Parameter.toggle("Switch.", "j")
  },
  examples: [],
  run: (options) => {
    received.push(options)
    return Effect.void
  }
})
const probe: Verb.Verb = {
  name: "probe",
  operands: "FILE MORE…",
  summary: "Receives.",
  load: () => Promise.resolve({ command })
}

const give = (...words: ReadonlyArray<string>) =>
  Effect.map(
    Effect.promise(() => read(["probe", ...words], [probe])),
    (request: Request): unknown => {
      if (request.ask !== "act") return request
      request.call.program(makeTerminal().terminal, [probe])
      return received.pop()
    }
  )

describe("the words of a command", () => {
  scoped("become the values that its program receives", function* () {
    expect(
      yield* give("a.yaml", "-i", "x=1", "--input=y=a=b", "--limit", "3", "b", "-o", "dir", "-j", "c", "--", "--d")
    ).toEqual({
      file: "a.yaml",
      more: ["b", "c", "--d"],
      input: { x: "1", y: "a=b" },
      limit: 3,
      out: "dir",
      json: true
    })
    expect(yield* give("a", "b")).toEqual({
      file: "a",
      more: ["b"],
      input: {},
      limit: undefined,
      out: undefined,
      json: false
    })
  })

  scoped("let the last of a repeated flag count, so that scripts can add to a line", function* () {
    expect(yield* give("a", "b", "--limit", "3", "--limit", "4", "-i", "x=1", "-i", "x=2")).toMatchObject({
      limit: 4,
      input: { x: "2" }
    })
  })

  scoped("are refused with what was expected", function* () {
    const refusals: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [[], "FILE is missing"],
      [["a"], "MORE is missing"],
      [["a", "b", "--limit", "0"], '--limit takes a whole number from 1 to 10, got "0"'],
      [["a", "b", "--limit", "-3"], '--limit takes a whole number from 1 to 10, got "-3"'],
      [["a", "b", "--limit", "1e1"], '--limit takes a whole number from 1 to 10, got "1e1"'],
      [["a", "b", "--limit"], "--limit needs a value: --limit N"],
      [["a", "b", "--out", "--json"], "--out needs a value: --out DIR"],
      [["a", "b", "--out="], "--out takes a value, got an empty one"],
      [["a", "b", "-i", "x"], '--input takes NAME=VALUE, got "x"'],
      [["a", "b", "-i", "=1"], '--input takes NAME=VALUE, got "=1"'],
      [["a", "b", "--json=yes"], "--json is a switch and takes no value"],
      [["a", "b", "--jsn"], 'unknown flag "--jsn", did you mean "--json"?'],
      [["a", "b", "-x"], 'unknown flag "-x"'],
      [["a", "b", "--constructor"], 'unknown flag "--constructor"']
    ]
    for (const [words, message] of refusals) {
      expect(yield* give(...words), words.join(" ")).toMatchObject({ ask: "mistake", message })
    }
  })
})

describe("the verb", () => {
  it("is suggested when it is nearly right", () => {
    expect(mistakeOf("rnu", "x.yaml")).toBe('unknown verb "rnu", did you mean "run"?')
    expect(mistakeOf("shedule", "x.yaml")).toBe('unknown verb "shedule", did you mean "schedule"?')
    expect(mistakeOf("doktor")).toBe('unknown verb "doktor", did you mean "doctor"?')
    expect(mistakeOf("Check")).toBe('unknown verb "Check", did you mean "check"?')
    expect(mistakeOf("help", "serv")).toBe('unknown verb "serv", did you mean "serve"?')
    expect(mistakeOf("photosynthesis")).toBe('unknown verb "photosynthesis"')
  })

  it("is missing, or has an operand too many", () => {
    expect(mistakeOf("--debug")).toBe("the verb is missing: sluice --help lists the verbs")
    expect(mistakeOf("--verson")).toBe('unknown flag "--verson", did you mean "--version"?')
    expect(mistakeOf("run", "a.yaml", "b.yaml")).toBe('unexpected argument "b.yaml"')
    expect(mistakeOf("schema", "x")).toBe('unexpected argument "x"')
  })

  it("takes --debug before and behind it", () => {
    expect(readNow(["--debug", "schema"])).toMatchObject({ ask: "act", debug: true })
    expect(readNow(["schema", "--debug"])).toMatchObject({ ask: "act", debug: true })
    expect(readNow(["schema"])).toMatchObject({ ask: "act", debug: false })
  })

  it("is found behind a flag that has a value", () => {
    expect(readNow(["--log-format", "json", "schema"])).toMatchObject({ ask: "act", logFormat: "json" })
    expect(mistakeOf("--log-format", "jsno", "schema")).toBe('--log-format takes text or json, got "jsno"')
    expect(mistakeOf("--log-format", "json")).toBe("the verb is missing: sluice --help lists the verbs")
  })

  it("shows its help wherever --help stands, whatever else is wrong", () => {
    for (const words of [
      ["run", "--help"],
      ["--help", "run"],
      ["run", "--limit", "x", "-h"],
      ["help", "run"]
    ]) {
      expect(readNow(words), words.join(" ")).toMatchObject({ ask: "help", verb: { name: "run" } })
    }
    expect(readNow([])).toEqual({ ask: "help", verb: undefined })
    expect(readNow(["help"])).toEqual({ ask: "help", verb: undefined })
    expect(readNow(["--help"])).toEqual({ ask: "help", verb: undefined })
  })
})

describe("sluice", () => {
  scoped("answers a typing mistake with exit code 2 and the help to read", function* () {
    expect(yield* sluice(["rnu"])).toEqual({
      code: 2,
      out: "",
      err: 'error: unknown verb "rnu", did you mean "run"?\nTry sluice --help\n'
    })
    expect((yield* sluice(["run"])).err).toBe("error: FILE is missing\nTry sluice run --help\n")
  })

  scoped("says of a step that it is no verb", function* () {
    for (const step of ["crawl", "scrape"]) {
      const { code, err } = yield* sluice([step, "https://shop.example/"])
      expect([code, err]).toEqual([2, expect.stringContaining(`"${step}" is a step of a pipeline, not a verb`)])
      expect(err).toContain(`sluice explain ${step}`)
    }
    expect((yield* sluice(["--bogus", "crawl"])).err).toContain('unknown flag "--bogus"')
  })

  scoped("prints its version", function* () {
    const { code, out } = yield* sluice(["--version"])
    expect(code).toBe(0)
    expect(out).toMatch(/^\d+\.\d+\.\d+\S*\n$/)
  })
})
