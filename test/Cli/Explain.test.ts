import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { globSync } from "tinyglobby"
import * as ClientErrors from "../../src/Client/ClientErrors.ts"
import { commonKeys } from "../../src/Pipeline/Definition.ts"
import { builtIn as steps } from "../../src/Pipeline/Extensions.ts"
import { catalogue } from "../../src/Row/Expression/Catalogue.ts"
import * as SinkErrors from "../../src/Sink/SinkErrors.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"

describe("sluice explain", () => {
  scoped("lists every step, sink and topic", function* () {
    const { code, err, out } = yield* sluice(["explain"])
    expect([code, err]).toEqual([0, ""])
    for (const name of [...steps.map(({ key }) => key), "jsonl", "csv", "keys", "expressions", "exit-codes"]) {
      expect(out).toMatch(new RegExp(`^  ${name} `, "m"))
    }
  })

  it.effect.skipIf(skipsLong)("shows of every step its summary, all its fields and its example, within the width", () =>
    Effect.forEach(steps, (step) =>
      Effect.gen(function* () {
        const { code, out } = yield* sluice(["explain", step.key], { columns: 72 })
        const { shapes } = JSON.parse((yield* sluice(["explain", step.key, "--json"])).out)
        expect(code).toBe(0)
        expect(out.replace(/\s+/g, " ")).toContain(step.summary.replaceAll("`", "").replace(/\s+/g, " "))
        expect(out).toContain(
          step.example
            .split("\n")
            .map((line) => `  ${line}`)
            .join("\n")
        )
        for (const { fields } of shapes) for (const { name } of fields) expect(out).toContain(`  ${name}`)
        const prose = out.slice(0, out.lastIndexOf("Example"))
        for (const line of prose.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80)
      })
    )
  )

  scoped("explains every reason of a reject", function* () {
    const { out } = yield* sluice(["explain", "rejects"])
    const ofErrors = [...Object.values(ClientErrors), ...Object.values(SinkErrors)].flatMap((each) => {
      const prototype: unknown = typeof each === "function" ? each.prototype : undefined
      return prototype instanceof Error && "scope" in prototype && prototype.scope === "row" ? [prototype.name] : []
    })
    const steps = globSync("src/Step/**/*.ts").map((file) => readFileSync(file, "utf8"))
    const ofSteps = steps.flatMap((text) => [...text.matchAll(/reason: "([A-Z]\w+)"/g)].map(([, reason]) => reason))
    expect([ofErrors.length, ofSteps.length].every((found) => found > 10)).toBe(true)
    for (const reason of new Set([...ofErrors, ...ofSteps, "CheckFailed", "NotAllowed"])) {
      expect(out).toMatch(new RegExp(`^  ${reason}\\b`, "m"))
    }
  })

  scoped("explains keys, expressions, settings and exit codes", function* () {
    const keys = (yield* sluice(["explain", "keys"])).out
    for (const key of commonKeys) expect(keys).toMatch(new RegExp(`^  ${key} `, "m"))
    const expressions = (yield* sluice(["explain", "expressions"])).out
    for (const { call } of catalogue) expect(expressions).toContain(`  ${call}`)
    expect((yield* sluice(["explain", "exit-codes"])).out).toMatch(/^ {2}78 +a definition or a setting is invalid$/m)
    expect((yield* sluice(["explain", "settings"])).out).toContain("SLUICE_BASE_URL")
    const frame = (yield* sluice(["explain", "frame"])).out
    for (const key of ["inputs.NAME.type", "notify[].on", "notify[].quiet.from"]) expect(frame).toContain(key)
    expect((yield* sluice(["explain", "notify"])).out).toMatch(/^ {2}notify\[\]\.on [\s\S]*quality: too many rows/m)
    expect((yield* sluice(["explain", "version"])).out).toMatch(/^version\n/)
    expect((yield* sluice(["explain", "check"])).out).toMatch(
      /an array of rules like [\s\S]*^ {2}onFail +"warn", "reject"/m
    )
  })

  scoped("asks back for a name that is not there", function* () {
    expect(yield* sluice(["explain", "scrap"])).toEqual({
      code: 2,
      out: "",
      err: 'error: there is no step, sink, key or topic "scrap", did you mean "scrape"?\n'
    })
    expect((yield* sluice(["explain", "quetzalcoatl"])).err).toContain("`sluice explain` lists all of them")
  })

  scoped("prints Markdown, and colours on a terminal only", function* () {
    expect((yield* sluice(["explain", "search", "--markdown"])).out).toContain(
      "| `limit` | a whole number from 1 to 100 | `10` |"
    )
    expect((yield* sluice(["explain", "search"], { tty: true })).out).toContain("\u001b[")
    expect((yield* sluice(["explain", "search"], { tty: true, env: { NO_COLOR: "1" } })).out).not.toContain("\u001b[")
  })
})
