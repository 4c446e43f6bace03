import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);

// src/Api/Url.ts
import * as Option from "effect/Option";
var parse = Option.liftThrowable((text, base) => new URL(text, base));
var isAscii = (text) => /^[\0-\x7f]*$/.test(text);
var canParse = (text, base) => isAscii(text) && isAscii(base ?? "") ? URL.canParse(text, base) : Option.isSome(parse(text, base));

export {
  canParse
};
