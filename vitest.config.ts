import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Tests that set the clock have a process for each file; the others share one, and what it has learnt to do fast. */
const clocked = readdirSync(source("./test"), { recursive: true, encoding: "utf8" })
  .map((name) => `test/${name.replaceAll("\\", "/")}`)
  .filter((name) => name.endsWith(".test.ts") && readFileSync(source(`./${name}`), "utf8").includes("TestClock"))

const include = ["test/**/*.test.ts"]

export default defineConfig({
  test: {
    maxWorkers: 2,
    minWorkers: 1,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/bin.ts"],
      reporter: ["text-summary", "json-summary"],
      thresholds: { lines: 90, branches: 85 }
    },
    projects: [
      { name: "shared", isolate: false, include, exclude: clocked },
      { name: "clocked", isolate: true, include: clocked }
    ].map((project) => ({
      resolve: { alias: { "sluice/promise": source("./src/promise.ts"), sluice: source("./src/index.ts") } },
      test: { ...project, testTimeout: 30_000, hookTimeout: 30_000 }
    }))
  }
})
