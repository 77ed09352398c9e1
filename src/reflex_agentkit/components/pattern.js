// Patterns of a schema, matched in one pass over the text, so that none can take for ever. What they may hold is the
// part of regular expressions that the server reads in the same way; `protocol/patterns.py` is its counterpart.

const LONGEST = 2000;
const DEEPEST = 50;
const MOST_STATES = 20_000;
const MOST_STEPS = 40_000_000;
const LAST = 0x10ffff;
const CATEGORIES = /^(?:C[cfnos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/;
const SETS = {
  d: [[48, 57]],
  w: [[48, 57], [65, 90], [95, 95], [97, 122]],
  s: [[9, 13], [32, 32], [160, 160], [0x1680, 0x1680], [0x2000, 0x200a], [0x2028, 0x2029], [0x202f, 0x202f], [0x205f, 0x205f], [0x3000, 0x3000], [0xfeff, 0xfeff]],
};
const LINE_ENDS = [[10, 10], [13, 13], [0x2028, 0x2029]];
const CONTROLS = { n: 10, r: 13, t: 9, v: 11, f: 12, 0: 0 };

export class PatternFault extends Error {}

const fail = () => {
  throw new PatternFault("pattern");
};

function outside(ranges) {
  const found = [];
  let from = 0;
  for (const [low, high] of ranges) {
    if (low > from) found.push([from, low - 1]);
    from = high + 1;
  }
  return from <= LAST ? [...found, [from, LAST]] : found;
}

const inRanges = (ranges, code) => ranges.some(([low, high]) => code >= low && code <= high);

/** A pattern as a tree. `one` tells whether a code point fits. */
class Reader {
  constructor(source) {
    this.signs = Array.from(source);
    this.at = 0;
    this.deep = 0;
  }
  peek(text) {
    return [...text].every((sign, step) => this.signs[this.at + step] === sign);
  }
  take(text) {
    if (!this.peek(text)) return false;
    this.at += text.length;
    return true;
  }
  next() {
    return this.at < this.signs.length ? this.signs[this.at++] : fail();
  }
  choice() {
    const ways = [this.row()];
    while (this.take("|")) ways.push(this.row());
    return ways.length === 1 ? ways[0] : { kind: "choice", ways };
  }
  row() {
    const parts = [];
    while (this.at < this.signs.length && !this.peek("|") && !this.peek(")")) parts.push(this.part());
    return { kind: "row", parts };
  }
  part() {
    const atom = this.atom();
    const times = this.times();
    if (!times) return atom;
    if (atom.kind === "place" || atom.kind === "ahead") fail();
    const [least, most] = times;
    this.take("?");
    if (this.repeats()) fail();
    return { kind: "repeat", part: atom, least, most };
  }
  repeats() {
    return this.peek("*") || this.peek("+") || this.peek("?") || !!this.counted();
  }
  counted() {
    return /^\{(\d{1,4})(?:(,)(\d{0,4}))?\}/.exec(this.signs.slice(this.at, this.at + 12).join(""));
  }
  times() {
    if (this.take("*")) return [0, Infinity];
    if (this.take("+")) return [1, Infinity];
    if (this.take("?")) return [0, 1];
    const found = this.counted();
    if (!found) return undefined;
    this.at += found[0].length;
    const least = Number(found[1]);
    const most = found[2] ? (found[3] ? Number(found[3]) : Infinity) : least;
    return most < least ? fail() : [least, most];
  }
  atom() {
    if (this.repeats()) fail();
    const sign = this.next();
    if (sign === "^") return { kind: "place", where: "start" };
    if (sign === "$") return { kind: "place", where: "end" };
    if (sign === ".") return one((code) => !inRanges(LINE_ENDS, code));
    if (sign === "(") return this.group();
    if (sign === "[") return this.set();
    if (sign !== "\\") return exactly(sign.codePointAt(0));
    if (this.take("b")) return { kind: "place", where: "edge" };
    if (this.take("B")) return { kind: "place", where: "inside" };
    if (this.take("A")) return { kind: "place", where: "start" };
    if (this.take("Z") || this.take("z")) return { kind: "place", where: "end" };
    const escape = this.escape();
    return typeof escape === "number" ? exactly(escape) : one(escape);
  }
  group() {
    let not;
    if (this.take("?")) {
      if (this.take("=")) not = false;
      else if (this.take("!")) not = true;
      else if (!this.take(":")) this.name();
    }
    this.deep += 1;
    if (this.deep > DEEPEST) fail();
    const part = this.choice();
    this.deep -= 1;
    if (!this.take(")")) fail();
    return not === undefined ? part : { kind: "ahead", part, not };
  }
  name() {
    this.take("P");
    const found = /^<[A-Za-z_]\w{0,40}>/.exec(this.signs.slice(this.at, this.at + 44).join("")) ?? fail();
    this.at += found[0].length;
  }
  /** After a backslash: a code point, or a test of one. */
  escape() {
    const sign = this.next();
    const lower = sign.toLowerCase();
    if ("dws".includes(lower)) {
      const ranges = sign === lower ? SETS[lower] : outside(SETS[lower]);
      return (code) => inRanges(ranges, code);
    }
    if (lower === "p") return this.category(sign === "P");
    if (sign in CONTROLS) return sign === "0" && /\d/.test(this.signs[this.at] ?? "") ? fail() : CONTROLS[sign];
    if (sign === "x") return this.hex(2);
    if (sign === "u") return this.unicode();
    return /[A-Za-z0-9]/.test(sign) || sign.codePointAt(0) > 126 ? fail() : sign.codePointAt(0);
  }
  hex(length) {
    const digits = this.signs.slice(this.at, this.at + length).join("");
    this.at += length;
    return /^[0-9a-fA-F]+$/.test(digits) && digits.length === length ? parseInt(digits, 16) : fail();
  }
  unicode() {
    if (!this.take("{")) {
      const code = this.hex(4);
      return code >= 0xd800 && code <= 0xdfff ? fail() : code;
    }
    const end = this.signs.indexOf("}", this.at);
    const code = end - this.at > 0 && end - this.at <= 6 ? this.hex(end - this.at) : fail();
    this.at += 1;
    return code <= LAST && !(code >= 0xd800 && code <= 0xdfff) ? code : fail();
  }
  category(not) {
    const found = /^\{(\w+)\}/.exec(this.signs.slice(this.at, this.at + 8).join(""));
    if (!found || !CATEGORIES.test(found[1])) fail();
    this.at += found[0].length;
    const test = new RegExp(`^\\${not ? "P" : "p"}{${found[1]}}$`, "u");
    return (code) => test.test(String.fromCodePoint(code));
  }
  set() {
    const not = this.take("^");
    if (this.peek("]")) fail();
    const tests = [];
    while (!this.take("]")) {
      const low = this.member();
      const range = this.peek("-") && this.signs[this.at + 1] !== "]";
      if (range) this.at += 1;
      const high = range ? this.member() : low;
      if (typeof low !== "number" || typeof high !== "number") {
        if (range) fail();
        tests.push(low);
      } else if (high < low) fail();
      else tests.push((code) => code >= low && code <= high);
    }
    return one((code) => tests.some((test) => test(code)) !== not);
  }
  member() {
    const sign = this.next();
    if (sign !== "\\") return sign.codePointAt(0);
    return this.take("b") ? 8 : this.escape();
  }
}

const one = (test) => ({ kind: "one", test });
const exactly = (wanted) => one((code) => code === wanted);

/** Steps of a machine: `{test, to}`, `{to: [..]}`, `{place, to}`, `{ahead, not, to}`; an index that is not there has matched. */
function compile(tree, budget) {
  const steps = [];
  const add = (step) => {
    budget.states += 1;
    if (budget.states > MOST_STATES) fail();
    return steps.push(step) - 1;
  };
  // Made from the end, since a step names the one after it.
  const make = (node, to) => {
    switch (node.kind) {
      case "one":
        return add({ test: node.test, to });
      case "place":
        return add({ place: node.where, to });
      case "ahead":
        return add({ ahead: compile(node.part, budget), not: node.not, to });
      case "row":
        return node.parts.reduceRight((after, part) => make(part, after), to);
      case "choice":
        return add({ ways: node.ways.map((way) => make(way, to)) });
      default:
        return repeat(node, to);
    }
  };
  const repeat = ({ part, least, most }, to) => {
    let after = to;
    if (most === Infinity) {
      after = add({ ways: [] });
      steps[after].ways = [make(part, after), to];
    } else for (let count = least; count < most; count += 1) after = add({ ways: [make(part, after), to] });
    for (let count = 0; count < least; count += 1) after = make(part, after);
    return after;
  };
  const start = make(tree, -1);
  return { steps, start, known: new Map() };
}

const isWord = (code) => code !== undefined && inRanges(SETS.w, code);

function holds(where, text, at) {
  if (where === "start") return at === 0;
  if (where === "end") return at === text.length;
  return (isWord(text[at - 1]) !== isWord(text[at])) === (where === "edge");
}

/** Whether the machine matches in the text, from `from` on; `anywhere` lets it begin later too. */
function run(machine, text, from, anywhere, budget) {
  const { steps, start } = machine;
  let now = [];
  for (let at = from; at <= text.length; at += 1) {
    const seen = new Set();
    const next = [];
    const waiting = at === from || anywhere ? [...now, start].reverse() : [...now].reverse();
    if (!waiting.length) return false;
    while (waiting.length) {
      const index = waiting.pop();
      if (index === -1) return true;
      if (seen.has(index)) continue;
      seen.add(index);
      budget.left -= 1;
      if (budget.left < 0) fail();
      const step = steps[index];
      if (step.test) {
        if (at < text.length && step.test(text[at])) next.push(step.to);
      } else if (step.ways) waiting.push(...step.ways);
      else if (step.place ? holds(step.place, text, at) : looks(step, text, at, budget)) waiting.push(step.to);
    }
    now = next;
  }
  return false;
}

function looks({ ahead, not }, text, at, budget) {
  if (!ahead.known.has(at)) ahead.known.set(at, run(ahead, text, at, false, budget));
  return ahead.known.get(at) !== not;
}

function parsed(source) {
  if (source.length > LONGEST) fail();
  const reader = new Reader(source);
  const tree = reader.choice();
  return reader.at < reader.signs.length ? fail() : tree;
}

const trees = new Map();

function treeOf(source) {
  if (trees.size > 500) trees.clear();
  if (!trees.has(source)) trees.set(source, parsed(source));
  return trees.get(source);
}

/** Throws `PatternFault` where a pattern is none, or holds what cannot be matched here. */
export function checkPattern(source) {
  compile(treeOf(source), { states: 0 });
}

/** Whether a pattern is found in a text. Throws `PatternFault`. */
export function matches(source, letters) {
  const text = Array.from(letters, (sign) => sign.codePointAt(0));
  return run(compile(treeOf(source), { states: 0 }), text, 0, true, { left: MOST_STEPS });
}
