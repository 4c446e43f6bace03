import { about, overview } from "../../src/Cli/Help.ts"
import { verbs } from "../../src/Cli.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { makeTerminal, sluice } from "./Console.ts"
import { loaded } from "./Loaded.ts"

const escape = "\u001b["

describe("the help", () => {
  it("of all verbs is as it was agreed", () => {
    expect(overview(verbs, "0.0.0", makeTerminal().terminal.out)).toMatchSnapshot()
  })

  for (const verb of loaded) {
    it(`of ${verb.name} is as it was agreed, and has an example that is valid`, () => {
      expect(about(verb, makeTerminal().terminal.out)).toMatchSnapshot()
      expect(verb.examples.length).toBeGreaterThan(0)
      const operands = Object.values(verb.parameters).flatMap(({ kind, many, required, value = "" }) => {
        const word = many === true ? `${value}…` : value
        return kind !== "operand" ? [] : [required === true ? word : `[${word}]`]
      })
      expect(verb.operands).toBe(operands.join(" "))
      for (const { line } of verb.examples) expect(line).toMatch(new RegExp(`^sluice ${verb.name}\\b`))
    })
  }

  it("fits the width of a terminal", () => {
    for (const columns of [60, 80, 200]) {
      const { terminal } = makeTerminal({ columns })
      for (const verb of loaded) {
        const lines = about(verb, terminal.out).split("\n")
        const prose = lines.filter((line) => !line.includes("sluice "))
        expect(Math.max(...prose.map((line) => line.length)), verb.name).toBeLessThanOrEqual(Math.max(72, columns))
      }
    }
  })

  scoped("has colours on a terminal only, and none with NO_COLOR", function* () {
    expect((yield* sluice(["--help"], { tty: true })).out).toContain(escape)
    expect((yield* sluice(["--help"])).out).not.toContain(escape)
    expect((yield* sluice(["run", "--help"], { tty: true, env: { NO_COLOR: "1" } })).out).not.toContain(escape)
    expect((yield* sluice(["run", "--help"], { tty: true, env: { TERM: "dumb" } })).out).not.toContain(escape)
  })
})
