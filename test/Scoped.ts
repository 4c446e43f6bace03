/** Tests with a scope, a test clock and the files of this machine: `scoped("…", function* () { … })`. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { scoped as tester, type Vitest } from "@effect/vitest"
import { testerOf } from "./It.ts"

export const scoped = testerOf(tester, NodeContext.layer)

/** The same within `layer`: the tests have its services, too. */
export const scopedIn = <R>(it: Vitest.MethodsNonLive<R>) => testerOf(it.scoped, NodeContext.layer)
