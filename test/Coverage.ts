/**
 * Coverage by V8, without the copies of modules that `tsx` loads for the code of a project: Vite has not transformed them,
 * so their coverage cannot be mapped to the sources, and the report would have an error for each.
 */
import v8 from "@vitest/coverage-v8"
import type { CoverageProviderModule } from "vitest/node"

interface Script {
  readonly url: string
}

const isCopy = ({ url }: Script): boolean => url.includes("?")

const coverage: CoverageProviderModule = {
  ...v8,
  takeCoverage: async (options) => {
    const taken = (await v8.takeCoverage?.(options)) as { readonly result: ReadonlyArray<Script> }
    return { result: taken.result.filter((script) => !isCopy(script)) }
  }
}

export default coverage
