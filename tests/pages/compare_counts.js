// Do the interactive pages count as the engine does? Runs the pages' arithmetic on the cases that test_pages wrote:
// whole numbers must be equal, others to a relative 1e-12.
//
// usage: node compare_counts.js FOLDER_OF_PAGES FOLDER_OF_CASES [PAGE]     one page, or all
"use strict";
const fs = require("fs");
const path = require("path");

const [pages, casesFolder, onlyPage] = process.argv.slice(2);
const tolerance = 1e-12;
const shownDifferences = 5;

const mathOf = (page) => require(path.resolve(pages, page + "_math.js"));
const casesOf = (page) => JSON.parse(fs.readFileSync(path.join(casesFolder, page + ".json"), "utf8"));

/// Every place in which `actual` is not as `expected`: "steps[3].rows: the engine says 4, the page 5".
function differences(expected, actual, place) {
  if (expected === null || typeof expected !== "object") return sameValue(expected, actual) ? [] :
    [`${place}: the engine says ${JSON.stringify(expected)}, the page ${JSON.stringify(actual)}`];
  if (actual === null || typeof actual !== "object") return [`${place}: the page says ${JSON.stringify(actual)}`];
  const found = [];
  if (Array.isArray(expected) && expected.length !== actual.length) {
    found.push(`${place}: the engine has ${expected.length} of them, the page ${actual.length}`);
  }
  for (const key of Object.keys(expected)) {
    found.push(...differences(expected[key], actual[key], Array.isArray(expected) ? `${place}[${key}]` : `${place}.${key}`));
  }
  return found;
}

function sameValue(expected, actual) {
  if (typeof expected !== "number" || Number.isInteger(expected) && Number.isInteger(actual)) return expected === actual;
  return Math.abs(expected - actual) <= tolerance * Math.max(1, Math.abs(expected));
}

function kvCacheChecks(math, cases) {
  const named = new Map(cases.models.map((model) => [model.name, model]));
  return [
    ...cases.laws.map((c) => [c, { ...c, naive: math.naiveTokensForwarded(c.prompt, c.output),
      cached: math.cachedTokensForwarded(c.prompt, c.output) }]),
    ...cases.runs.map((c) => [c, { ...c, naive: math.passes(c.prompt, c.output, false),
      cached: math.passes(c.prompt, c.output, true) }]),
    // The sum over the passes that are drawn is the law that is printed.
    ...cases.laws.map((c) => [{ naive: c.naive, cached: c.cached }, {
      naive: math.rowsOf(math.passes(c.prompt, c.output, false), c.output),
      cached: math.rowsOf(math.passes(c.prompt, c.output, true), c.output) }]),
    ...cases.bytes.map((c) => [c, { ...c, perToken: math.kvBytesPerToken(c.layers, c.kvHeads, c.headDim, c.bytes),
      sharings: math.headSharings(c.heads, c.kvHeads, c.layers, c.headDim, c.bytes) }]),
    ...math.models.map((model) => [named.get(model.name) || "a model that the planner knows", model]),
  ];
}

function batchingChecks(math, cases) {
  const limit = (value) => (value === null ? math.noLimit : value);
  return cases.schedules.map(({ asked, options, expected }) => {
    const cost = { stepNs: options.stepNs, rowNs: options.rowNs };
    const run = options.lockStep ? math.lockStep(asked, options.places, cost) : math.continuous(asked, { ...options, cost,
      tokenBudget: limit(options.tokenBudget), maxChunk: limit(options.maxChunk) });
    return [expected, { ...run, tokenTimes: run.requests.map((request) => request.tokenTimes) }];
  });
}

/// Plays a history again; what is to be seen after each verb.
function replay(math, history) {
  const store = new math.PagedStore(history.blocks, history.blockSize, history.prefixCache);
  const storeAll = (step) => {
    const room = store.reserve(step.id, step.tokens.length);
    if (!room) {
      store.release(step.id);
      return { room };
    }
    const copies = store.takeCopies();
    store.commit(step.id, step.tokens);
    return { room, copies };
  };
  const verbs = {
    begin: (step) => ({ found: store.matchPrefix(step.id, step.tokens), ...storeAll(step) }),
    write: storeAll,
    fork: (step) => void store.fork(step.parent, step.id, step.length),
    truncate: (step) => void store.truncate(step.id, step.length),
    release: (step) => void store.release(step.id),
  };
  return history.steps.map((step) => {
    try {
      return { ...step, ...verbs[step.verb](step), after: stateOf(store) };
    } catch (error) {
      return `an error: ${error.message}`;
    }
  });
}

function stateOf(store) {
  const tables = {};
  for (const [id, { blocks, reserved }] of store.tables) tables[id] = { blocks: blocks.slice(), reserved };
  return { tables, owners: store.owners(), free: store.pool.free.length, cached: store.pool.cached.length,
    ...store.usage(), counts: { ...store.counts } };
}

function blockTableChecks(math, cases) {
  return cases.histories.map((history) => [history.steps, replay(math, history)]);
}

function speculationChecks(math, cases) {
  return [
    ...cases.formulas.map((c) => {
      const verify = (length) => math.verifyCost(length, c.requests, c.freeRows);
      const best = math.bestLength(c.acceptance, c.perDraftToken, 16, verify);
      return [c, { ...c, verify: verify(c.length), tokensPerCall: math.tokensPerCall(c.acceptance, c.length),
        speedUp: math.speedUp(c.acceptance, c.length, c.perDraftToken, c.verify),
        breakEven: math.breakEvenAcceptance(c.length, c.perDraftToken, c.verify),
        bestLength: best.length, bestSpeedUp: best.speedUp }];
    }),
    ...cases.counts.map((c) => [c, { ...c, ...math.countAcceptance(c.calls) }]),
    // What is drawn as a distribution has the mean that is printed.
    ...cases.formulas.map((c) => [{ mean: c.tokensPerCall }, {
      mean: math.acceptedDistribution(c.acceptance, c.length).reduce((sum, share, accepted) => sum + share * (accepted + 1), 0) }]),
  ];
}

const checks = { kv_cache: kvCacheChecks, batching: batchingChecks, block_table: blockTableChecks, speculation: speculationChecks };
const leastCases = { kv_cache: 500, batching: 300, block_table: 60, speculation: 600 };

let failed = false;
for (const page of onlyPage ? [onlyPage] : Object.keys(checks)) {
  const pairs = checks[page](mathOf(page), casesOf(page));
  const found = pairs.flatMap(([expected, actual], index) => differences(expected, actual, `${page} case ${index}`));
  if (pairs.length < leastCases[page]) found.push(`${page}: only ${pairs.length} cases, where ${leastCases[page]} were meant`);
  for (const difference of found.slice(0, shownDifferences)) console.log(difference);
  if (found.length > 0) failed = true;
  console.log(`${page}: ${pairs.length} cases, ${found.length} differences`);
}
process.exit(failed ? 1 : 0);
