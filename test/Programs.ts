/** Programs that tests start as processes of their own: built before the first test (`vitest.config.ts`). */
import { inject } from "vitest"

declare module "vitest" {
  export interface ProvidedContext {
    readonly built: string
  }
}

/** The file to give to Node. `bin` is the executable as users get it. */
export const program = (name: "bin" | "engine" | "ledger" | "shower"): string => `${inject("built")}/${name}.js`
