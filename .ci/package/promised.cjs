/** The same entry from a CommonJS program: every Node that the package is for can require a module. */
const { createClient, createPipeline, definePipeline } = require("sluice/promise")

for (const each of [createClient, createPipeline, definePipeline])
  if (typeof each !== "function") throw new Error("an export is missing")
