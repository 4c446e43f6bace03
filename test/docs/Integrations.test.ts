/** Files of `docs/integrations`, carried out with the tools that they are for; those of several machines and jobs: Integrations.faults.test.ts. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { DuckDBInstance } from "@duckdb/node-api"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { parse } from "yaml"
import { skipsLong } from "../Long.ts"
import { source, text, workplace } from "./Integrations.ts"

const { folder, remove, rows, run } = workplace()
afterAll(remove)

const isThere = (name: string): boolean => spawnSync(name, ["--version"]).error === undefined

describe("docs/integrations", () => {
  it.skipIf(!isThere("make") || skipsLong)(
    "Makefile: make runs what is out of date, and nothing else",
    () => {
      const first = run("make", ["check", "all"])
      expect(first.status, first.stderr).toBe(0)
      expect(rows("landing/products/prices.jsonl")).toHaveLength(4)
      expect(run("make", ["all"]).stdout).toContain("Nothing to be done")
    },
    180_000
  )

  it.skipIf(skipsLong)(
    "action.yml: runs a pipeline and has its outputs, which DuckDB reads by products.sql, also where dbt says they are",
    async () => {
      const action = parse(text("action.yml"))
      expect(action.runs.using).toBe("composite")
      // The published schema of actions asks both of every input.
      for (const input of Object.values(action.inputs)) {
        expect(input).toEqual(
          expect.objectContaining({ description: expect.any(String), required: expect.any(Boolean) })
        )
      }
      const [step] = action.runs.steps
      const given: Readonly<Record<string, string>> = {
        pipeline: "products.yaml",
        out: "of-action",
        data: ".sluice-action",
        arguments: "--backfill\n"
      }
      // What GitHub does with the expressions of `env`; none stands in the script, where it would be run.
      const env = Object.fromEntries(
        Object.entries<string>(step.env).map(([name, value]) => {
          const [, input = ""] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(value) ?? []
          expect(Object.keys(action.inputs)).toContain(input)
          return [name, given[input] ?? ""]
        })
      )
      expect(step.run).not.toContain("${{")
      mkdirSync(`${folder}/runner`)
      const files = { GITHUB_OUTPUT: `${folder}/runner/output`, GITHUB_STEP_SUMMARY: `${folder}/runner/summary` }
      const { status, stderr } = run("bash", ["-eo", "pipefail", "-c", step.run], {
        ...env,
        ...files,
        RUNNER_TEMP: `${folder}/runner`
      })
      expect(status, stderr).toBe(0)
      const outputs = Object.fromEntries(
        readFileSync(files.GITHUB_OUTPUT, "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => line.split("="))
      )
      expect(outputs).toMatchObject({ status: "completed", rows: "4", rejects: "1" })
      expect(Object.keys(outputs).sort()).toEqual(Object.keys(action.outputs).sort())
      for (const [name, { value }] of Object.entries<{ value: string }>(action.outputs)) {
        expect(value).toBe(`\${{ steps.${step.id}.outputs.${name} }}`)
      }
      const connection = await (await DuckDBInstance.create(":memory:")).connect()
      const inFolder = (sql: string) => sql.replaceAll("landing/", `${folder}/of-action/`)
      const figures = (await connection.runAndReadAll(inFolder(text("products.sql")))).getRowObjectsJson()
      expect(figures).toEqual([{ products: "4", mean: 7.94 }])
      const [landing] = parse(text("sources.yml")).sources
      for (const { columns, name } of landing.tables) {
        const location = landing.meta.external_location.replaceAll("{name}", name)
        const found = (await connection.runAndReadAll(inFolder(`SELECT * FROM ${location}`))).columnNames()
        expect(found).toEqual(expect.arrayContaining(columns.map((column: { name: string }) => column.name)))
      }
    },
    120_000
  )

  it.skipIf(skipsLong)("the programs for Airflow and Dagster are valid Python", () => {
    if (!isThere("python3")) return
    const files = readdirSync(source).filter((each) => each.endsWith(".py"))
    expect(files).toHaveLength(2)
    const script = "import ast, sys\nfor name in sys.argv[1:]: ast.parse(open(name).read())"
    execFileSync("python3", ["-c", script, ...files.map((name) => `${source}/${name}`)])
  })
})
