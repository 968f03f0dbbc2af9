// Static and continuous batching of the same requests on a virtual clock, step by step. The same decisions as
// stages/4_continuous_batching/scheduler.h and simulation.h (lock step: stage 3); tests/pages compares every step.
//
// Times are integers of nanoseconds. A step takes `stepNs + rowNs * rows`: a fixed part (reading the weights) and a part
// for each row that it computes.
"use strict";

const batchingMath = (() => {
  const noLimit = Infinity;

  /// A request under way, from what was asked: {arrivalNs, prompt, output}.
  function started(asked, id) {
    return { id, arrivalNs: asked.arrivalNs, prompt: asked.prompt, output: asked.output, generated: 0, computed: 0,
      overtaken: 0, lastServed: 0, tokenTimes: [], scheduledNs: null };
  }

  const pending = (request) => request.prompt + request.generated - request.computed;
  const ended = (request) => request.generated === request.output;

  /// The clock, the steps that were taken, and what they gave.
  class Run {
    constructor(requests, cost) {
      this.requests = requests.map(started);
      this.cost = cost;
      this.nowNs = 0;
      this.steps = [];
      this.paddedSlots = 0;
      this.arrived = 0;
    }

    /// Everybody who has come by now, in order.
    takeArrivals() {
      const before = this.arrived;
      while (this.arrived < this.requests.length && this.requests[this.arrived].arrivalNs <= this.nowNs) ++this.arrived;
      return this.requests.slice(before, this.arrived);
    }

    /// Nobody is here: time goes on to the next arrival. False: nobody will come.
    waitForArrival() {
      if (this.arrived === this.requests.length) return false;
      this.nowNs = Math.max(this.nowNs, this.requests[this.arrived].arrivalNs);
      return true;
    }

    /// Computes `parts`, a list of {request, rows}; whoever reaches the end of what is known gets a token.
    execute(parts, idle) {
      const startNs = this.nowNs;
      const rows = parts.reduce((sum, part) => sum + part.rows, 0);
      this.nowNs += this.cost.stepNs + this.cost.rowNs * rows;
      const done = parts.map(({ request, rows: own }) => {
        if (request.scheduledNs === null) request.scheduledNs = startNs;
        const prompt = request.computed < request.prompt;
        request.computed += own;
        const draws = pending(request) === 0;
        const kvLength = request.computed;
        if (draws) {
          request.generated += 1;
          request.tokenTimes.push(this.nowNs);
        }
        return { request: request.id, rows: own, kvLength, prompt, draws };
      });
      this.paddedSlots += idle.length;
      this.steps.push({ startNs, endNs: this.nowNs, rows, parts: done, idle: idle.map((request) => request.id) });
    }
  }

  /// Stage 3: up to `places` of those that have arrived; nobody joins or leaves until the last has ended.
  function lockStep(requests, places, cost) {
    const run = new Run(requests, cost);
    const queue = [];
    for (;;) {
      queue.push(...run.takeArrivals());
      if (queue.length === 0) {
        if (!run.waitForArrival()) break;
        continue;
      }
      const batch = queue.splice(0, places);
      while (!batch.every(ended)) {
        const parts = batch.filter((request) => !ended(request)).map((request) => ({ request, rows: pending(request) }));
        run.execute(parts, batch.filter(ended));
      }
    }
    return result(run);
  }

  /// Single rows first, those that were not served for longest; then larger ones in the order they were let in.
  function serviceOrder(running) {
    const single = running.filter((request) => pending(request) === 1).sort((a, b) => a.lastServed - b.lastServed);
    return single.concat(running.filter((request) => pending(request) !== 1));
  }

  /// The oldest of those that have been overtaken too often, else the policy's choice; equals keep the order of arrival.
  function nextWaiting(waiting, options) {
    const overdue = waiting.find((request) => request.overtaken >= options.maxOvertakes);
    if (overdue || options.policy === "fcfs") return overdue || waiting[0];
    return waiting.reduce((best, request) => (request.prompt < best.prompt ? request : best));
  }

  /// Stage 4: requests join and leave at every step, under a token budget.
  function continuous(requests, options) {
    const run = new Run(requests, options.cost);
    const waiting = [];
    let running = [], sharesGiven = 0;

    const plan = () => {
      const parts = [];
      let budget = options.tokenBudget;
      const schedule = (request) => {
        const rows = Math.min(pending(request), options.maxChunk, budget);
        budget -= rows;
        request.lastServed = ++sharesGiven;
        parts.push({ request, rows });
      };
      for (const request of serviceOrder(running)) {
        if (budget === 0) break;
        schedule(request);
      }
      while (budget > 0 && waiting.length > 0 && running.length < options.places) {
        const next = nextWaiting(waiting, options);
        schedule(next);
        const place = waiting.indexOf(next);
        waiting.splice(place, 1);
        for (const earlier of waiting.slice(0, place)) earlier.overtaken += 1;
        running.push(next);
      }
      return parts;
    };

    for (;;) {
      waiting.push(...run.takeArrivals());
      const parts = plan();
      if (parts.length === 0) {
        if (!run.waitForArrival()) break;
        continue;
      }
      run.execute(parts, []);
      running = running.filter((request) => !ended(request));
    }
    return result(run);
  }

  /// The value below which `percent` of the sorted `values` lie; interpolated, as in stages/core/metrics.h.
  function percentile(values, percent) {
    const rank = (percent / 100) * (values.length - 1);
    const below = Math.floor(rank);
    const above = Math.min(below + 1, values.length - 1);
    return values[below] + (rank - below) * (values[above] - values[below]);
  }

  function summarize(values) {
    if (values.length === 0) return null;
    const sorted = values.slice().sort((a, b) => a - b);
    const sum = sorted.reduce((total, value) => total + value, 0);
    return { mean: sum / sorted.length, p50: percentile(sorted, 50), p99: percentile(sorted, 99),
      largest: sorted[sorted.length - 1] };
  }

  const nsPerMs = 1e6;

  function result(run) {
    const gaps = [];
    for (const { tokenTimes } of run.requests) {
      for (let i = 1; i < tokenTimes.length; ++i) gaps.push((tokenTimes[i] - tokenTimes[i - 1]) / nsPerMs);
    }
    const tokens = run.requests.reduce((sum, request) => sum + request.generated, 0);
    const slots = run.steps.reduce((sum, step) => sum + step.parts.length + step.idle.length, 0);
    return {
      requests: run.requests,
      steps: run.steps,
      durationNs: run.nowNs,
      paddedSlots: run.paddedSlots,
      paddedShare: slots ? run.paddedSlots / slots : 0,
      tokensForwarded: run.steps.reduce((sum, step) => sum + step.rows, 0),
      largestRows: run.steps.reduce((most, step) => Math.max(most, step.rows), 0),
      tokensPerSecond: run.nowNs ? tokens / (run.nowNs / 1e9) : 0,
      ttftMs: summarize(run.requests.map((request) => (request.tokenTimes[0] - request.arrivalNs) / nsPerMs)),
      itlMs: summarize(gaps),
    };
  }

  return { noLimit, lockStep, continuous, summarize };
})();

if (typeof module !== "undefined") module.exports = batchingMath;
