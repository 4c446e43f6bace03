import { execFileSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync
} from "node:fs"
import { availableParallelism } from "node:os"
import { fileURLToPath, pathToFileURL } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Programs that tests start, built once: from the sources, each start would take seconds to transpile them. */
const built = source(`./node_modules/.cache/sluice-test/${process.pid}`)
const programs = [
  "engine=test/Engine/Jobs/EngineProcess.ts",
  "ledger=test/Ledger/LedgerProcess.ts",
  "keepPageOpen=test/Engine/Render/KeepPageOpen.ts",
  "collected=test/Engine/CollectedProcess.ts"
]
execFileSync(process.execPath, [source("./build.mjs"), built, ...programs])
process.on("exit", () => rmSync(built, { recursive: true, force: true }))

// Tests read the types of the public modules; after `npm ci --ignore-scripts` there are none yet.
if (!existsSync(source("./src/Generated")))
  execFileSync(process.execPath, ["--import", "tsx", source("./.ci/interfaces.ts")])

/** Memory file system. On a disk the tests spend half of their time waiting for commits to reach it. */
const memory = "/dev/shm"
const gibibyte = 2 ** 30
const hasRoom = existsSync(memory) && statfsSync(memory).bavail * statfsSync(memory).bsize > 2 * gibibyte
if (process.env.TMPDIR === undefined && hasRoom) {
  const mark = "sluice-tests.pid"
  // A run that was killed has left its folder, and the folder holds memory.
  for (const name of readdirSync(memory)) {
    try {
      const pid = readFileSync(`${memory}/${name}/${mark}`, "utf8")
      if (!existsSync(`/proc/${pid}`)) rmSync(`${memory}/${name}`, { recursive: true, force: true })
    } catch {
      // Another program's or another user's, or another run removes it.
    }
  }
  // A short name: browsers put sockets below it, and the path of a socket has 104 bytes at most.
  const folder = mkdtempSync(`${memory}/s`)
  writeFileSync(`${folder}/${mark}`, String(process.pid))
  // A database server that runs as another user reaches its own folder in it.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  process.on("exit", () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // A browser that is ending still writes into it: the next run removes it.
    }
  })
}

/** Modules that start a thread or a child process find its file beside their own: gives them the folder of the built files. */
const besideTheBuilt = {
  name: "beside-the-built",
  transform: (code: string, id: string) =>
    id.startsWith(source("./src/")) && code.includes('import.meta.url.endsWith(".ts")')
      ? { code: code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(`${built}/bin.js`).href)), map: null }
      : undefined
}

const include = ["test/**/*.test.ts"]
/** Kills, full disks, cut connections, and the sessions of the documentation, which take minutes: `npm run faults`. */
const faults = ["test/faults/**/*.test.ts", "test/**/*.faults.test.ts"]

/** Files that take long start first: at the end, one of them would keep one worker busy and the others idle. */
const long = /\/test\/(Cluster|contract|Dashboard|docs|Engine\/Browser|Engine\/Render|faults)\//

class LongFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    const sorted = await super.sort(files)
    return [
      ...sorted.filter(({ moduleId }) => long.test(moduleId)),
      ...sorted.filter(({ moduleId }) => !long.test(moduleId))
    ]
  }
}

/** All repetitions of the properties, as `npm run faults` asks for. */
const isLong = process.env.SLUICE_ALL_REPETITIONS !== undefined

/** Two for each core: tests wait for timers, browsers and databases half of their time. */
const workers = Math.min(2 * availableParallelism(), 8)

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    maxWorkers: workers,
    // A pool that may shrink can end a worker which has just been given its next file.
    minWorkers: workers,
    pool: "forks",
    poolOptions: { forks: { isolate: false } },
    coverage: {
      provider: "custom",
      customProviderModule: source("./test/Coverage.ts"),
      include: ["src/**/*.ts"],
      // Pages for browsers run there alone, where nothing is counted.
      exclude: ["src/bin.ts", "src/Web/*/!(Page|Protocol).ts"],
      reporter: ["text-summary", "json-summary"],
      thresholds: { lines: 90, branches: 85 }
    },
    projects: [
      { name: "quick", include, exclude: faults },
      { name: "faults", include: faults }
    ].map((project) => ({
      plugins: [besideTheBuilt],
      resolve: {
        alias: {
          "sluice/promise": source("./src/promise.ts"),
          "sluice/cluster": source("./src/Cluster/Door.ts"),
          sluice: source("./src/index.ts")
        }
      },
      test: {
        ...project,
        provide: { built },
        globalSetup: source("./test/Needs.ts"),
        setupFiles: source("./test/setup.ts"),
        // Ends what hangs, also on a slow and busy machine. Campaigns take a minute on a quiet one.
        testTimeout: isLong || project.name === "faults" ? 900_000 : 600_000,
        hookTimeout: 600_000
      }
    }))
  }
})
