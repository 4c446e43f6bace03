/** Programs that tests start as processes of their own: built before the first test (`vitest.config.ts`). */
import { inject } from "vitest"

declare module "vitest" {
  export interface ProvidedContext {
    readonly built: string
  }
}

/** The file to give to Node. `bin` is the executable as users get it, `index` and `promise` are the doors of the library. */
export const program = (
  name: "bin" | "engine" | "index" | "ledger" | "promise" | "keepPageOpen" | "collected"
): string => `${inject("built")}/${name}.js`
