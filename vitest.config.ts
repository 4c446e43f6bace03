import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  resolve: { alias: { "sluice/promise": source("./src/promise.ts"), sluice: source("./src/index.ts") } },
  test: {
    include: ["test/**/*.test.ts"],
    maxWorkers: 2,
    minWorkers: 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/bin.ts"],
      reporter: ["text-summary", "json-summary"],
      thresholds: { lines: 90, branches: 85 }
    }
  }
})
