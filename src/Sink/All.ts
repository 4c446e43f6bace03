/** Every sink that `write` may use, as the reference names them. */
import { csv } from "./Csv.ts"
import { jsonl } from "./Jsonl.ts"

export const sinks = [jsonl, csv] as const
