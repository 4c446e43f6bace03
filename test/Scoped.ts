/** Tests with a scope and the files of this machine: `scoped("…", function* () { … })`. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { scopedLive, scoped as tester, type Vitest } from "@effect/vitest"
import { testerOf } from "./It.ts"

/** With the clock of tests. */
export const scoped = testerOf(tester, NodeContext.layer)

/** With the real clock. */
export const live = testerOf(scopedLive, NodeContext.layer)

/** The same within `layer`: the tests have its services, too. */
export const scopedIn = <R>(it: Vitest.MethodsNonLive<R>) => testerOf(it.scoped, NodeContext.layer)
