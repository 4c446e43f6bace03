import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);

// src/Engine/Parse/Protocol.ts
var formats = ["markdown", "html", "rawHtml", "links", "images", "summary"], Refusal = class extends Error {
  code;
  constructor(code, message) {
    super(message), this.name = "Refusal", this.code = code;
  }
}, corrupt = (what) => new Refusal("FILE_CORRUPT", `${what}. Open it in the program it was made with and save it again.`), unreadable = () => new Refusal(
  "FILE_CORRUPT",
  "The content is none of what is read here: HTML, PDF, Word, Excel, OpenDocument, RTF or plain text. Convert it to one of them."
), encrypted = (what) => new Refusal("FILE_ENCRYPTED", `${what} is protected by a password. Remove the password and send it again.`), tooComplex = (what) => new Refusal("FILE_TOO_COMPLEX", `${what}. Split the file and send the parts.`);

export {
  formats,
  Refusal,
  corrupt,
  unreadable,
  encrypted,
  tooComplex
};
