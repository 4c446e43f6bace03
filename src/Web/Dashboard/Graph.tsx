/** Graph of a run or pipeline: steps with their counts, and edges with the rows on them. */
import { useMemo } from "preact/hooks"
import { Scroll } from "./Components.tsx"
import { brief, count, rate } from "./Format.ts"
import { arrange, type Point } from "./GraphLayout.ts"
import { to } from "./Route.ts"
import type { Graph as GraphData, GraphEdge, GraphNode, StepCount } from "./RunProtocol.ts"

const sizes = { width: 232, height: 78, gapX: 28, gapY: 40 }
const margin = 6
/** Maximum characters of a node's detail: alone, and if the fill level of a full buffer is shown beside it. */
const detailLengths = { alone: 32, besidePressure: 24 }

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

/** SVG path through the points, vertical at both ends. */
const pathOf = ([first, ...rest]: ReadonlyArray<Point>): string => {
  if (first === undefined) return ""
  let [path, from] = [`M${first.x} ${first.y}`, first]
  for (const point of rest) {
    const middle = (from.y + point.y) / 2
    path += from.x === point.x ? `V${point.y}` : `C${from.x} ${middle} ${point.x} ${middle} ${point.x} ${point.y}`
    from = point
  }
  return path
}

/** Fill level of the buffer, from 0 to 1; undefined if the step has none. */
const fillOf = ({ held, room }: StepCount): number | undefined =>
  held === undefined || room === undefined || room <= 0 ? undefined : Math.min(1, held / room)

/** Buffer of a running step, in words. */
export const bufferOf = (step: StepCount): string => {
  if (step.blocked === true) return "waits for a downstream step"
  const fill = fillOf(step)
  if (fill === undefined || step.held === 0) return ""
  return fill >= 1 ? "full: upstream steps wait" : `${count(step.held ?? 0)} of ${count(step.room ?? 0)} rows`
}

const labelOf = ({ id, key }: GraphNode, step: StepCount | undefined): string =>
  step === undefined
    ? `${id}, ${key}`
    : [
        `${id}, ${key}: ${count(step.in)} in, ${count(step.out)} out`,
        `${count(step.rejects)} rejected`,
        step.rate === undefined ? "" : rate(step.rate),
        bufferOf(step)
      ]
        .filter((part) => part !== "")
        .join(", ")

interface NodeProps {
  readonly run: string
  readonly node: GraphNode
  readonly at: Point
  readonly step: StepCount | undefined
  readonly isLive: boolean
}

const Node = ({ at, isLive, node, run, step }: NodeProps) => {
  const { height, width } = sizes
  const fill = step === undefined ? undefined : fillOf(step)
  const buffer = step === undefined || !isLive ? "" : bufferOf(step)
  const isFull = step?.blocked === true || (fill ?? 0) >= 1
  return (
    <a
      href={to(["runs", run, "rejects"], { step: node.id })}
      class="node"
      data-kind={node.kind}
      data-step={node.id}
      data-full={isLive && isFull}
      aria-description={labelOf(node, step)}
    >
      <g transform={`translate(${at.x + margin} ${at.y + margin})`}>
        <title>{`${labelOf(node, step)}. Opens its rejects.`}</title>
        <rect class="box" width={width} height={height} rx="10" />
        <text x="12" y="21" class="step">
          {cut(node.id, step !== undefined && step.rejects > 0 ? 19 : 27)}
        </text>
        {step !== undefined && step.rejects > 0 && (
          <text x={width - 12} y="21" class="rejects">{`✕ ${brief(step.rejects)}`}</text>
        )}
        <svg x="12" y="26" width={width - (buffer === "" || !isFull ? 24 : 72)} height="17" aria-hidden="true">
          <text y="12" class="detail">
            {cut(
              node.id === node.key ? node.detail : `${node.key} ${node.detail}`,
              buffer === "" || !isFull ? detailLengths.alone : detailLengths.besidePressure
            )}
          </text>
        </svg>
        {step !== undefined && node.kind !== "value" && (
          <>
            <text x="12" y="59" class="figures">
              {node.kind === "source" ? `${brief(step.out)} rows` : `${brief(step.in)} → ${brief(step.out)}`}
            </text>
            {isLive && step.rate !== undefined && (
              <text x={width - 12} y="59" class="rate">
                {rate(step.rate)}
              </text>
            )}
            {buffer !== "" && isFull && (
              <text x={width - 12} y="38" class="pressure" data-full={isFull}>
                {step.blocked === true ? "waits" : "full"}
              </text>
            )}
            {isLive && fill !== undefined && (
              <>
                <rect class="room" x="12" y="67" width={width - 24} height="4" rx="2" />
                <rect class="held" x="12" y="67" width={(width - 24) * fill} height="4" rx="2" />
              </>
            )}
          </>
        )}
      </g>
    </a>
  )
}

interface Props {
  readonly run: string
  readonly graph: GraphData
  readonly steps: ReadonlyArray<StepCount>
  /** True if the run is active: shows rates and buffers. */
  readonly isLive: boolean
  /** True to show the number of rows on each edge. */
  readonly hasEdgeCounts?: boolean
}

/** Number of rows on an edge, near the step that receives them. */
const EdgeCount = ({ line, rows }: { readonly line: ReadonlyArray<Point>; readonly rows: number }) => {
  const [before, end] = line.slice(-2)
  if (before === undefined || end === undefined) return null
  return (
    <text class="flows" x={(before.x + end.x) / 2 + margin + 8} y={(before.y + end.y) / 2 + margin + 4}>
      {brief(rows)}
    </text>
  )
}

export const Graph = ({ graph, hasEdgeCounts = false, isLive, run, steps }: Props) => {
  const layout = useMemo(() => arrange(graph.nodes, graph.edges, sizes), [graph])
  const byId = new Map(steps.map((step) => [step.step, step]))
  const width = layout.width + 2 * margin
  const height = layout.height + 2 * margin
  const moves = ({ from, kind }: GraphEdge) => isLive && kind === "rows" && (byId.get(from)?.rate ?? 0) > 0
  const strength = (edge: GraphEdge) =>
    edge.kind === "rows" ? 1.5 + Math.min(3, Math.log10(1 + (byId.get(edge.from)?.rate ?? 0))) : 1.5
  return (
    <Scroll kind="graph" label="Graph of the steps; the table below has the same counts">
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
        <title>Steps of the pipeline</title>
        {layout.lines.map((line, index) => {
          const edge = graph.edges[index]
          return (
            edge !== undefined && (
              <path
                key={`${edge.from} ${edge.to} ${edge.kind}`}
                d={pathOf(line)}
                transform={`translate(${margin} ${margin})`}
                class="edge"
                data-kind={edge.kind}
                data-moves={moves(edge)}
                stroke-width={strength(edge)}
              />
            )
          )
        })}
        {hasEdgeCounts &&
          layout.lines.map((line, index) => {
            const edge = graph.edges[index]
            const rows = edge?.kind === "rows" ? byId.get(edge.from)?.out : undefined
            return rows !== undefined && <EdgeCount key={`${edge?.from} ${edge?.to}`} line={line} rows={rows} />
          })}
        {graph.nodes.map((node) => (
          <Node
            key={node.id}
            run={run}
            node={node}
            step={byId.get(node.id)}
            at={layout.nodes.get(node.id) ?? { x: 0, y: 0 }}
            isLive={isLive}
          />
        ))}
      </svg>
    </Scroll>
  )
}
