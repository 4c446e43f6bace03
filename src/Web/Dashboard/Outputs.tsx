/** Tab "Outputs" of a run: its files, and a preview of the chosen one. */
import { useFetch } from "./Api.ts"
import { Empty, Loaded, Scroll, TableHead, Value } from "./Components.tsx"
import { many, size } from "./Format.ts"
import { paths } from "./Protocol.ts"
import { type Route, setQuery } from "./Route.ts"
import type { OutputFile, Preview, RunDetail } from "./RunProtocol.ts"

const Rows = ({ number, run }: { readonly run: string; readonly number: number }) => {
  const asked = useFetch<Preview>(paths.preview, { id: run, number, rows: 50 })
  return (
    <Loaded asked={asked}>
      {({ columns, isCut, rows, why }) =>
        why !== undefined ? (
          <Empty title="No preview">
            <p>{why}</p>
          </Empty>
        ) : (
          <>
            <Scroll kind="preview" label="First rows">
              <table>
                <TableHead columns={columns} />
                <tbody>
                  {rows.map((row, index) => (
                    <tr key={index}>
                      {columns.map((column, at) => (
                        <td key={column}>
                          <Value value={row[at]} />
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
            <p class="dim">{isCut ? `The first ${many(rows.length, "row")}.` : `All ${many(rows.length, "row")}.`}</p>
          </>
        )
      }
    </Loaded>
  )
}

/** Path below the output folder of the run, so that partitions have different names; the whole path of a file elsewhere. */
const nameOf = ({ path }: OutputFile, folder: string): string => {
  const isBelow = path.startsWith(folder) && /^[/\\]/.test(path.slice(folder.length))
  return isBelow ? path.slice(folder.length + 1) : path
}

export const Outputs = ({ route, run }: { readonly run: RunDetail; readonly route: Route }) => {
  const chosen = Number(route.query.get("output") ?? run.outputs[0]?.number ?? 0)
  if (run.outputs.length === 0) {
    return (
      <Empty title="No outputs">
        <p>Files are published when a run completes.</p>
      </Empty>
    )
  }
  return (
    <>
      <ul class="choices" aria-label="Outputs">
        {run.outputs.map((output) => (
          <li key={output.number}>
            <button
              type="button"
              aria-pressed={output.number === chosen}
              title={output.path}
              onClick={() => setQuery(route, { output: String(output.number) })}
            >
              <b>{nameOf(output, run.out)}</b>
              <small>
                {output.format} · {many(output.rows, "row")} · {size(output.bytes)}
              </small>
            </button>
          </li>
        ))}
      </ul>
      <p class="dim">
        <code>{run.outputs.find(({ number }) => number === chosen)?.path}</code>
      </p>
      <Rows key={chosen} run={run.id} number={chosen} />
    </>
  )
}
