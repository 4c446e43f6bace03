#!/usr/bin/env node
import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);

// src/bin.ts
var [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
major > 20 || major === 20 && minor >= 19 ? await import("./chunk-AMOFJSK7.js") : (process.stderr.write(
  `error: sluice needs Node 20.19 or newer, and this is Node ${process.versions.node}. Install a newer one from https://nodejs.org.
`
), process.exitCode = 1);
