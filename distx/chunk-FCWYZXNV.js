import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);

// src/Cli/Parameter.ts
var last = (given) => given[given.length - 1], one = (value, description) => ({
  kind: "operand",
  value,
  description,
  required: !0,
  read: ([first]) => first === void 0 ? { fault: `${value} is missing` } : { value: first }
}), optional = (value, description, words) => ({
  kind: "operand",
  value,
  description,
  words,
  read: ([first]) => ({ value: first })
}), oneOf = (value, words, description) => ({
  kind: "operand",
  value,
  description,
  required: !0,
  words,
  read: ([first]) => {
    let word = words.find((each) => each === first);
    if (word !== void 0) return { value: word };
    let known = `${words.slice(0, -1).join(", ")} or ${words[words.length - 1]}`;
    return { fault: first === void 0 ? `${value} is missing: ${known}` : `"${first}" is none of ${known}` };
  }
}), many = (value, description) => ({
  kind: "operand",
  value,
  description,
  required: !0,
  many: !0,
  read: (given) => given.length === 0 ? { fault: `${value} is missing` } : { value: given }
}), several = (value, description) => ({
  kind: "operand",
  value,
  description,
  many: !0,
  read: (given) => ({ value: given })
}), toggle = (description, short) => ({
  kind: "flag",
  description,
  short,
  read: (given) => ({ value: given.length > 0 })
}), text = (value, description, short) => ({
  kind: "flag",
  value,
  description,
  short,
  read: (given) => last(given) === "" ? { fault: "takes a value, got an empty one" } : { value: last(given) }
}), choice = (value, words, description) => ({
  kind: "flag",
  value,
  description,
  words,
  read: (given) => {
    let said = last(given), word = words.find((each) => each === said);
    return said === void 0 || word !== void 0 ? { value: word } : { fault: `takes ${words.slice(0, -1).join(", ")} or ${words[words.length - 1]}, got "${said}"` };
  }
}), units = { s: 1e3, m: 6e4, h: 36e5, d: 864e5 }, removed = (fault) => ({
  kind: "removed",
  value: "VALUE",
  description: "",
  read: (given) => given.length === 0 ? { value: void 0 } : { fault }
}), duration = (value, description) => ({
  kind: "flag",
  value,
  description,
  read: (given) => {
    let said = last(given), match = /^(\d+)(s|m|h|d)$/.exec(said ?? "");
    return said === void 0 ? { value: void 0 } : match === null ? { fault: `takes a time like 30d, 12h or 90m, got "${said}"` } : { value: Number(match[1]) * units[match[2]] };
  }
}), integer = (value, description, { maximum = Number.MAX_SAFE_INTEGER, minimum }) => ({
  kind: "flag",
  value,
  description,
  read: (given) => {
    let word = last(given);
    if (word === void 0) return { value: void 0 };
    let number = /^-?\d+$/.test(word) ? Number(word) : Number.NaN, bounds = maximum === Number.MAX_SAFE_INTEGER ? `of ${minimum} or more` : `from ${minimum} to ${maximum}`;
    return number >= minimum && number <= maximum ? { value: number } : { fault: `takes a whole number ${bounds}, got "${word}"` };
  }
}), pairs = (value, description, short) => ({
  kind: "flag",
  value,
  description,
  short,
  many: !0,
  read: (given) => {
    let stray = given.find((word) => word.indexOf("=") < 1);
    return stray === void 0 ? {
      value: Object.fromEntries(
        given.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)])
      )
    } : { fault: `takes ${value}, got "${stray}"` };
  }
}), texts = (value, description) => ({
  kind: "flag",
  value,
  description,
  many: !0,
  read: (given) => given.includes("") ? { fault: "takes a value, got an empty one" } : { value: given }
}), withDefault = (parameter, fallback) => ({
  ...parameter,
  read: (given) => {
    let reading = parameter.read(given);
    return "fault" in reading ? reading : { value: reading.value ?? fallback };
  }
});

// src/Cli/Verb.ts
var loadVerb = (verb) => verb.load().then(({ command }) => ({ ...verb, ...command })), loadVerbs = (verbs) => Promise.all(verbs.map(loadVerb)), make = ({
  run,
  ...declaration
}) => ({
  ...declaration,
  prepare: (given) => {
    let values = {};
    for (let [name, parameter] of Object.entries(declaration.parameters)) {
      let reading = parameter.read(given[name] ?? []);
      if ("fault" in reading)
        return { fault: parameter.kind !== "operand" ? `--${name} ${reading.fault}` : reading.fault };
      values[name] = reading.value;
    }
    return {
      value: { values, program: (terminal, verbs) => run(values, terminal, verbs) }
    };
  }
});

export {
  one,
  optional,
  oneOf,
  many,
  several,
  toggle,
  text,
  choice,
  removed,
  duration,
  integer,
  pairs,
  texts,
  withDefault,
  loadVerb,
  loadVerbs,
  make
};
