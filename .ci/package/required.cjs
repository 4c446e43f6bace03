/** Both doors from a CommonJS program: every Node that the package is for can require a module. */
const { Pipeline } = require("sluice")
const { createClient } = require("sluice/promise")

if (typeof Pipeline.make !== "function" || typeof createClient !== "function") throw new Error("the doors do not open")
