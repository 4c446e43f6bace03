/** Left may import right, never back; nobody imports a door; no cycles. */
const order = [
  "bin",
  "Cli",
  "Mcp",
  "LocalEngine",
  "Cluster",
  "Schedule",
  "Engine",
  "Dashboard",
  "Web",
  "Run",
  "Ledger",
  "Health",
  "Pipeline",
  "Sink",
  "Step",
  "Client",
  "Guard",
  "Permissions",
  "Settings",
  "Telemetry",
  "Version",
  "Database",
  "Contract",
  "Change",
  "Row",
  "Login",
  "Html",
  "Values",
  "Api",
  "TypedError",
  "Files",
  "Xml",
  "Packages",
  "Peers",
  "Callback",
  "Generated"
]

/** The floors inside the engine: a folder may import what stands right of it, never back. */
const floors = [
  "EngineOptions",
  "Handlers",
  "Browser",
  "Jobs",
  "Scrape",
  "Render",
  "Parse",
  "Preview",
  "Search",
  "Model",
  "Http",
  "Fetch",
  "PageCache",
  "Usage",
  "Store",
  "Branding",
  "Teams",
  "ScrapeOptions",
  "InOrder"
]

/** Folders or files of the engine. */
const floor = (names) => `^src/Engine/(${names.join("|")})(\\.ts$|/)`

/** What stands beside each other. */
const beside = ["Cluster", "Schedule", "Engine", "Dashboard"]

/** What the scheduler stores: the dashboard shows and changes it. */
const stored = "^src/Schedule/(OccurrenceStatus|Model|Store)\\.ts$"

/** A noun and the folder of its parts: `Step.ts` and `Step/*.ts`. */
const noun = (names) => `^src/(${names.join("|")})(\\.ts$|/)`

module.exports = {
  forbidden: [
    ...order.slice(1).map((name, index) => ({
      name: `${name}-looks-left`,
      comment: `${name} may only import what stands right of it in: ${order.join(" → ")}`,
      severity: "error",
      from: { path: noun([name]) },
      to: {
        path: noun(order.slice(0, index + 1)),
        ...(["Dashboard", "Web"].includes(name) ? { pathNot: stored } : {})
      }
    })),
    {
      name: "src-without-place",
      comment: `A new folder or file of src needs its place in: ${order.join(" → ")}`,
      severity: "error",
      from: {},
      to: { path: "^src/", pathNot: noun([...order, "index", "promise"]) }
    },
    ...floors.slice(1).map((name, index) => ({
      name: `Engine-${name}-looks-left`,
      comment: `Engine/${name} may only import what stands right of it in: ${floors.join(" → ")}`,
      severity: "error",
      from: { path: floor([name]) },
      to: { path: [floor(floors.slice(0, index + 1)), "^src/Engine\\.ts$"] }
    })),
    {
      name: "Engine-without-floor",
      comment: `A new folder of the engine needs its place in: ${floors.join(" → ")}`,
      severity: "error",
      from: {},
      to: { path: "^src/Engine/", pathNot: floor(floors) }
    },
    {
      name: "engine-stands-alone",
      comment:
        "The engine knows the contract, the boundary of callbacks, the settings, the version, the database, what is told of it, its pages and HTML; client and engine never meet.",
      severity: "error",
      from: { path: noun(["Engine"]) },
      to: {
        path: "^src/",
        pathNot: noun([
          "Engine",
          "Guard",
          "Web",
          "Api",
          "Callback",
          "Files",
          "Html",
          "Login",
          "Packages",
          "Values",
          "Settings",
          "Version",
          "Telemetry",
          "Database",
          "Xml"
        ])
      }
    },
    ...beside.map((name) => ({
      name: `${name}-stands-beside`,
      comment: `${beside.join(", ")} never import each other: what one needs of another it is given by Cli.`,
      severity: "error",
      from: { path: noun([name]) },
      to: {
        path: noun(beside.filter((other) => other !== name)),
        ...(name === "Dashboard" ? { pathNot: stored } : {})
      }
    })),
    {
      name: "shards-need-no-postgres",
      comment: "run --shard and merge work without a database: what they load must not load its driver.",
      severity: "error",
      from: { path: "^src/Cluster/(InputSplits|Merge|PartResult|Partition|Shard\\w+|Task)\\.ts$" },
      to: {
        path: ["@effect/sql-pg", "^src/Cluster/(PartRun|Parts|Submissions|RunStatus|Workers)\\.ts$"],
        dependencyTypesNot: ["type-only"]
      }
    },
    {
      name: "SqlError-ends-in-the-store",
      comment: "Rooms that hold SQL end its errors in one of their own; others never see SqlError.",
      severity: "error",
      from: {
        path: "^src/",
        pathNot: ["^src/(Database|Ledger)(\\.ts$|/)", "^src/Engine/Store/", "^src/Schedule/Occurrences\\.ts$"]
      },
      to: { path: ["@effect/sql/.*SqlError", "^src/Database/StatementError\\.ts$"] }
    },
    {
      name: "doors-are-for-guests",
      comment: "index.ts, promise.ts and Cluster/Door.ts are what others import.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^src/(index|promise|Cluster/Door)\\.ts$" }
    },
    {
      name: "generated-is-types",
      comment: "src/Generated is written by a program that loads the sources: only types may be imported from it.",
      severity: "error",
      from: {},
      to: { path: "^src/Generated/", dependencyTypesNot: ["type-only"] }
    },
    {
      name: "pipelines-use-the-door",
      severity: "error",
      from: { path: "^pipelines/" },
      to: { path: "^src/", pathNot: "^src/(index|promise)\\.ts$" }
    },
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true }
    }
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      extensions: [".ts", ".js", ".mjs"],
      exportsFields: ["exports"],
      conditionNames: ["import", "node"]
    }
  }
}
