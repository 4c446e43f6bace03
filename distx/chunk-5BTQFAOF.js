import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  tooComplex
} from "./chunk-5MIN5RQK.js";

// src/Engine/Parse/Zip.ts
import { inflateRawSync } from "node:zlib";
var maxEntries = 1e4, maxDeclared = 512 * 1024 * 1024, endSignature = Buffer.from([80, 75, 5, 6]), localSignature = Buffer.from([80, 75, 3, 4]), entriesOf = (bytes) => {
  let end = bytes.lastIndexOf(endSignature);
  if (end < 0 || end + 22 > bytes.length) return [];
  if (bytes.readUInt16LE(end + 10) > maxEntries) throw tooComplex(`The container holds over ${maxEntries} parts`);
  let entries = [], at = bytes.readUInt32LE(end + 16), declared = 0;
  for (; at + 46 <= bytes.length && bytes.readUInt32LE(at) === 33639248; ) {
    let nameLength = bytes.readUInt16LE(at + 28), entry = {
      name: bytes.toString("utf8", at + 46, at + 46 + nameLength),
      method: bytes.readUInt16LE(at + 10),
      encrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      compressed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42)
    };
    if (entries.push(entry), declared += entry.size, entries.length > maxEntries) throw tooComplex(`The container holds over ${maxEntries} parts`);
    if (declared > maxDeclared) throw tooComplex("Unpacked, the container is larger than 512 MB");
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}, localNames = (bytes) => {
  let names = [];
  for (let at = bytes.indexOf(localSignature); at >= 0 && names.length < 100 && !(at + 30 > bytes.length); )
    names.push(bytes.toString("utf8", at + 30, at + 30 + bytes.readUInt16LE(at + 26))), at = bytes.indexOf(localSignature, at + 30);
  return names;
}, readPart = (bytes, entries, name, limit = 1024 * 1024) => {
  let entry = entries.find((each) => each.name === name);
  if (entry === void 0 || entry.encrypted || entry.offset + 30 > bytes.length) return;
  let start = entry.offset + 30 + bytes.readUInt16LE(entry.offset + 26) + bytes.readUInt16LE(entry.offset + 28), raw = bytes.subarray(start, start + entry.compressed);
  if (entry.method === 0) return raw.length <= limit ? raw.toString("utf8") : void 0;
  try {
    return inflateRawSync(raw, { maxOutputLength: limit }).toString("utf8");
  } catch {
    return;
  }
};

export {
  entriesOf,
  localNames,
  readPart
};
