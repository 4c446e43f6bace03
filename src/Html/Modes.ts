/** Insertion modes (HTML standard, 13.2.6.4). */
import { inBody } from "./BodyMode.ts"
import * as Head from "./HeadModes.ts"
import * as Table from "./TableModes.ts"
import type { Mode } from "./TreeBuilder.ts"

type ModeName = "inBody" | keyof typeof Head | keyof typeof Table

export const modes: Readonly<Record<ModeName, Mode>> = { inBody, ...Head, ...Table }
