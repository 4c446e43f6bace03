import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);

// src/Database/Dialect.ts
var needsFingerprints = (sql) => sql.onDialectOrElse({ sqlite: () => !1, orElse: () => !0 }), forDialect = (needsFingerprints2, statement) => needsFingerprints2 ? statement : statement.replaceAll("fingerprint(", "("), fingerprintOf = (sql, column) => sql.literal(forDialect(needsFingerprints(sql), `fingerprint(${column})`)), fingerprintOfText = (sql, text) => needsFingerprints(sql) ? sql`fingerprint(${text})` : sql`${text}`, fingerprintFunction = `CREATE FUNCTION fingerprint(TEXT) RETURNS BYTEA LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT sha256(convert_to($1, 'UTF8')) $$`;
var unsupported = new RegExp("[\\0\x1B\\p{Surrogate}]", "gu"), escaped = new RegExp("\x1B([0-9a-f]{4})", "g"), encodeText = (text) => text.replace(unsupported, (character) => "\x1B" + character.charCodeAt(0).toString(16).padStart(4, "0")), decodeText = (stored) => stored.includes("\x1B") ? stored.replace(escaped, (_, code) => String.fromCharCode(Number.parseInt(code, 16))) : stored;

export {
  needsFingerprints,
  forDialect,
  fingerprintOf,
  fingerprintOfText,
  fingerprintFunction,
  encodeText,
  decodeText
};
