import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);

// src/Cli/LineDiff.ts
var compare = (before, after) => {
  let [rows, columns] = [before.length, after.length];
  if (rows * columns > 4e6)
    return [...before.map((line) => ["-", line]), ...after.map((line) => ["+", line])];
  let width = columns + 1, common = new Uint32Array((rows + 1) * width);
  for (let row2 = rows - 1; row2 >= 0; row2--)
    for (let column2 = columns - 1; column2 >= 0; column2--)
      common[row2 * width + column2] = before[row2] === after[column2] ? (common[(row2 + 1) * width + column2 + 1] ?? 0) + 1 : Math.max(common[(row2 + 1) * width + column2] ?? 0, common[row2 * width + column2 + 1] ?? 0);
  let edits = [], [row, column] = [0, 0];
  for (; row < rows || column < columns; ) {
    let [old, fresh] = [before[row], after[column]];
    old !== void 0 && old === fresh ? (edits.push([" ", old]), row++, column++) : old !== void 0 && (fresh === void 0 || (common[(row + 1) * width + column] ?? 0) >= (common[row * width + column + 1] ?? 0)) ? (edits.push(["-", old]), row++) : fresh !== void 0 && (edits.push(["+", fresh]), column++);
  }
  return edits;
}, editsOf = (before, after) => {
  let shorter = Math.min(before.length, after.length), head = 0;
  for (; head < shorter && before[head] === after[head]; ) head++;
  let tail = 0;
  for (; tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]; ) tail++;
  let same = (lines) => lines.map((line) => [" ", line]);
  return [
    ...same(before.slice(0, head)),
    ...compare(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail))
  ];
}, linesOf = (text) => text === "" ? [] : text.replace(/\n$/, "").split(`
`), range = (start, length) => `${length === 0 ? start : start + 1},${length}`, lineDiff = (before, after, around = 3) => {
  let edits = editsOf(linesOf(before), linesOf(after)), shown = /* @__PURE__ */ new Set();
  for (let [index, [sign]] of edits.entries())
    if (sign !== " ")
      for (let near = index - around; near <= index + around; near++) shown.add(near);
  let lines = [], at = { before: 0, after: 0 };
  for (let index = 0; index < edits.length; ) {
    if (!shown.has(index)) {
      at.before++, at.after++, index++;
      continue;
    }
    let hunk = [];
    for (let edit = edits[index]; edit !== void 0 && shown.has(index); edit = edits[++index]) hunk.push(edit);
    let old = hunk.filter(([sign]) => sign !== "+").length, fresh = hunk.filter(([sign]) => sign !== "-").length;
    lines.push(`@@ -${range(at.before, old)} +${range(at.after, fresh)} @@`, ...hunk.map(([sign, line]) => sign + line)), at.before += old, at.after += fresh;
  }
  return lines;
};

export {
  lineDiff
};
