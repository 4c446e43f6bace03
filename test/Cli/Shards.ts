/** A pipeline that is run in shards, and the commands of its machines. */
import { sluice } from "./Console.ts"
import { numbers, rowsTo } from "./Numbers.ts"
import { folderOf } from "./Project.ts"

export const project = (definition = numbers, rows = rowsTo(25)) =>
  folderOf({ "pipeline.yaml": definition, "rows.jsonl": rows })

/** The commands of a project. Shards have a data folder each, as on machines of their own. */
export const commands = (root: string, shared = `${root}/shared`) => ({
  shared,
  shard: (part: number | string, of: number, ...more: ReadonlyArray<string>) =>
    sluice(
      [
        "run",
        `${root}/pipeline.yaml`,
        "--shard",
        `${part}/${of}`,
        "--out",
        shared,
        "--data",
        `${root}/node-${part}`,
        ...more
      ],
      // Sites of tests are on this machine.
      { cwd: root, env: { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" } }
    ),
  merge: (...more: ReadonlyArray<string>) => sluice(["merge", shared, ...more], { cwd: root }),
  alone: (...more: ReadonlyArray<string>) =>
    sluice(["run", `${root}/pipeline.yaml`, "--out", `${root}/alone`, "--data", `${root}/alone-data`, ...more], {
      cwd: root
    })
})

export const setFolder = (shared: string, number = 1) => `${shared}/.sluice/shards/${String(number).padStart(4, "0")}`

export const report = ({ out }: { readonly out: string }) => JSON.parse(out)
