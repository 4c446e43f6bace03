import { from } from "../../src/Pipeline/Load.ts"
import { makeRunSpec } from "../../src/Run/RunSpec.ts"
import { expect, scoped } from "../It.ts"

scoped(
  "a run of a definition given as a value records its folder, and no file name that might be another file",
  function* () {
    const checked = yield* from({ version: 1, name: "value", steps: [{ urls: ["https://a.example/"] }] }, {}, "/there")
    const options = { out: "/out", dataDir: "/data" }
    expect(makeRunSpec(checked, options, { id: "r1", startedAt: 1 }, { key: undefined }).file).toBe(
      '/there/pipeline "value"'
    )
  }
)
