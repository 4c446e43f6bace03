import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);

// src/Version.ts
var version = "0.1.0";

export {
  version
};
