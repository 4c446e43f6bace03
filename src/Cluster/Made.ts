/** Steps that no definition has: what the parts of a run read from each other and leave to each other. */

import * as Schema from "effect/Schema"
import type { Checked } from "../Pipeline/Check.ts"
import type { Node } from "../Pipeline/Node.ts"
import type * as Step from "../Step.ts"

/** A step that is made for one run. */
export const node = (
  id: string,
  input: string | undefined,
  behaviour: Step.Any["behaviour"],
  common: Node["common"] = {}
): Node => ({
  id,
  index: 0,
  step: { key: id, summary: "", example: "", config: Schema.Unknown, behaviour } as Step.Any,
  config: null,
  common,
  inputs: input === undefined ? [] : [input],
  after: []
})

/** The definition with these steps alone. A part keeps no state across runs: whoever has all rows does. */
export const withNodes = (checked: Checked, nodes: ReadonlyArray<Node>, keepsState: boolean): Checked =>
  keepsState
    ? { ...checked, nodes, all: checked.nodes }
    : {
        ...checked,
        nodes,
        remembering: [],
        source: { ...checked.source, value: { ...(checked.source.value as object), state: undefined } }
      }
