#!/usr/bin/env node

/** The executable. Checks the version of Node before it loads anything: an older Node cannot even parse some of the modules. */
import { keepCompiledCode, ofProcess } from "./Cli/CompileCache.ts"
import { withTrimThreshold } from "./Cli/Restart.ts"

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

if (major > 20 || (major === 20 && minor >= 19)) {
  withTrimThreshold(process)
  keepCompiledCode(ofProcess())
  await import("./Cli/Process.ts")
} else {
  process.stderr.write(
    `error: sluice needs Node 20.19 or newer, and this is Node ${process.versions.node}. Install a newer one from https://nodejs.org.\n`
  )
  process.exitCode = 1
}
