/** Every sink; adding one is a file and a line here. */
import type * as Sink from "../Sink.ts"
import { csv } from "./Csv.ts"
import { jsonl } from "./Jsonl.ts"

export const all: ReadonlyArray<Sink.Any> = [jsonl, csv]
