/** Insertion modes (HTML standard, 13.2.6.4). */
import { inBody } from "./BodyMode.ts"
import * as Head from "./HeadModes.ts"
import * as Table from "./TableModes.ts"
import type { Modes } from "./TreeBuilder.ts"

export const modes: Modes = { inBody, ...Head, ...Table }
