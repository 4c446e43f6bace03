import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  isSome,
  liftThrowable
} from "./chunk-ANBJACJV.js";

// src/Api/Url.ts
var parse = liftThrowable((text, base) => new URL(text, base)), isAscii = (text) => /^[\0-\x7f]*$/.test(text), canParse = (text, base) => isAscii(text) && isAscii(base ?? "") ? URL.canParse(text, base) : isSome(parse(text, base));

export {
  canParse
};
