// Reads the reader's requests and draws both schedules, a lane a request and time to the right. Counts: batching_math.js.
"use strict";

(() => {
  const { mark, text, byId, whole, decimals, percent } = page;
  const form = byId("workload");
  const lane = 24, left = 30, right = 40, top = 22, mostRequests = 40, mostTokens = 2000;
  const nsPerMs = 1e6, nsPerUs = 1e3;

  const examples = {
    three: { requests: "0, 5, 4\n0, 9, 2\n1.5, 3, 2", places: 2, budget: 0, chunk: 0, stepUs: 1000, rowUs: 0 },
    equal: { requests: "0, 6, 8\n0, 6, 8\n0, 6, 8\n0, 6, 8\n0, 6, 8\n0, 6, 8", places: 3, budget: 0, chunk: 0, stepUs: 1000, rowUs: 0 },
    straggler: { requests: "0, 4, 3\n0, 4, 24\n0, 4, 5\n0, 4, 4\n0, 4, 6\n0, 4, 8\n0, 4, 3", places: 3, budget: 0, chunk: 0, stepUs: 1000, rowUs: 0 },
    stall: { requests: "0, 4, 24\n0, 4, 24\n4, 64, 6", places: 3, budget: 10, chunk: 0, stepUs: 1000, rowUs: 100 },
  };

  /// The requests of the text; throws an Error that names the line.
  function parse(lines) {
    const requests = [];
    lines.split("\n").forEach((line, index) => {
      if (line.trim() === "") return;
      const [arrivalMs, prompt, output, more] = line.split(",").map((part) => (part.trim() === "" ? NaN : Number(part)));
      const lengths = [prompt, output].every((length) => Number.isInteger(length) && length >= 1 && length <= mostTokens);
      if (more !== undefined || !(arrivalMs >= 0) || arrivalMs > 1e6 || !lengths) {
        throw new Error(`Line ${index + 1}: three numbers with commas: arrival in ms, and prompt and output tokens from 1 to ${whole(mostTokens)}`);
      }
      const arrivalNs = Math.round(arrivalMs * nsPerMs);
      if (requests.length > 0 && arrivalNs < requests[requests.length - 1].arrivalNs) {
        throw new Error(`Line ${index + 1}: arrives before the line above it; sort the lines by arrival`);
      }
      requests.push({ arrivalNs, prompt, output });
    });
    if (requests.length === 0) throw new Error("One request at least");
    if (requests.length > mostRequests) throw new Error(`${mostRequests} requests at the most`);
    return requests;
  }

  function part(run, pixels, step, share) {
    const x = left + step.startNs * pixels, width = Math.max(1, (step.endNs - step.startNs) * pixels - 1), y = top + share.request * lane;
    const marks = [mark("rect", { x, y, width, height: lane - 5, rx: 2, class: share.prompt ? "fresh" : "kept" })];
    const words = whole(share.rows);
    if (share.prompt && width > 8 * words.length) {
      marks.push(text(x + width / 2, y + 14, words, { class: "on-mark", "text-anchor": "middle" }));
    }
    return marks;
  }

  /// `pixels` a nanosecond, so that both schedules have one scale.
  function timeline(id, title, run, pixels) {
    const height = top + run.requests.length * lane + 20, width = left + run.durationNs * pixels + right;
    const marks = run.requests.map((request) => text(left - 8, top + request.id * lane + 14, whole(request.id + 1), { "text-anchor": "end" }));
    marks.push(text(left, 13, "request, by time in ms"));
    for (const step of run.steps) {
      for (const share of step.parts) marks.push(...part(run, pixels, step, share));
      for (const idle of step.idle) {
        const x = left + step.startNs * pixels;
        marks.push(mark("rect", { x: x + .5, y: top + idle * lane + .5, width: Math.max(1, (step.endNs - step.startNs) * pixels - 2), height: lane - 6, rx: 2, class: "held" }));
      }
    }
    for (const request of run.requests) {
      const x = left + request.arrivalNs * pixels, y = top + request.id * lane;
      marks.push(mark("path", { d: `M${x} ${y - 2}V${y + lane - 3}`, class: "now" }));
    }
    for (const ns of ticks(run.durationNs)) {
      marks.push(mark("path", { d: `M${left + ns * pixels} ${height - 20}v5`, class: "now" }),
        text(left + ns * pixels, height - 3, decimals(ns / nsPerMs, ns / nsPerMs % 1 ? 1 : 0), { "text-anchor": "middle" }));
    }
    page.drawing(id, title, `${whole(run.steps.length)} steps in ${decimals(run.durationNs / nsPerMs, 1)} ms; ${whole(run.paddedSlots)} places held for nothing`, width, height, marks);
  }

  /// About eight round times up to `endNs`.
  function ticks(endNs) {
    const rough = endNs / 8, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
    return Array.from({ length: Math.floor(endNs / step) + 1 }, (_, index) => index * step);
  }

  const ms = (summary, field) => (summary ? decimals(summary[field], 2) : "-");

  function compare(fixed, joined) {
    const row = (name, value) => [name, value(fixed), value(joined)];
    page.table("numbers", "Times in ms; the first token counts from the arrival", ["", "lock step", "continuous"], [
      row("steps", (run) => whole(run.steps.length)),
      row("tokens forwarded", (run) => whole(run.tokensForwarded)),
      row("rows of the largest step", (run) => whole(run.largestRows)),
      row("padded slots", (run) => `${whole(run.paddedSlots)} (${percent(run.paddedShare)})`),
      row("duration", (run) => decimals(run.durationNs / nsPerMs, 2)),
      row("output tokens/s", (run) => decimals(run.tokensPerSecond, 1)),
      row("time to first token, p50", (run) => ms(run.ttftMs, "p50")),
      row("time to first token, p99", (run) => ms(run.ttftMs, "p99")),
      row("gap between tokens, p50", (run) => ms(run.itlMs, "p50")),
      row("gap between tokens, largest", (run) => ms(run.itlMs, "largest")),
    ]);
    page.say(`Lock step takes ${whole(fixed.steps.length)} steps and ${decimals(fixed.durationNs / nsPerMs, 1)} ms, with ${whole(fixed.paddedSlots)} places held for nothing ` +
      `(${percent(fixed.paddedShare)}). Continuous batching takes ${whole(joined.steps.length)} steps and ${decimals(joined.durationNs / nsPerMs, 1)} ms: ` +
      `${decimals(fixed.durationNs / joined.durationNs, 2)} times as fast. Longest wait for the next word: ${ms(fixed.itlMs, "largest")} and ${ms(joined.itlMs, "largest")} ms.`);
  }

  function showCommands(requests, asked) {
    const bin = "build/release/bin/";
    const lines = requests.map((request) => `${request.arrivalNs / 1e9},${request.prompt},${request.output}`);
    const clock = `--clock virtual --step-us ${asked.stepUs} --json -`;
    const limits = `--max-running ${asked.places}` + (asked.budget ? ` --token-budget ${asked.budget}` : " --token-budget 100000") +
      (asked.chunk ? ` --chunk ${asked.chunk}` : "") + ` --policy ${byId("policy").value}`;
    byId("commands").textContent = asked.rowUs > 0 ? "Set the time of a row to 0: the programs' --step-us knows only steps of one length." :
      `printf 'arrival_s,prompt_tokens,output_tokens\\n${lines.join("\\n")}\\n' > mine.csv\n` +
      `${bin}stage3_batching --workload mine.csv --batch ${asked.places} ${clock}\n` +
      `${bin}stage4_continuous_batching --workload mine.csv ${limits} ${clock}`;
  }

  function draw() {
    const asked = page.numbers(form);
    let requests;
    try {
      requests = parse(byId("requests").value);
      byId("requests").setAttribute("aria-invalid", "false");
    } catch (error) {
      byId("requests").setAttribute("aria-invalid", "true");
      byId("problem").textContent = error.message;
      return;
    }
    if (!asked) return;
    const cost = { stepNs: asked.stepUs * nsPerUs, rowNs: asked.rowUs * nsPerUs };
    const overtakes = 32; // the scheduler's default
    const fixed = batchingMath.lockStep(requests, asked.places, cost);
    const joined = batchingMath.continuous(requests, { places: asked.places, tokenBudget: asked.budget || batchingMath.noLimit,
      maxChunk: asked.chunk || batchingMath.noLimit, policy: byId("policy").value, maxOvertakes: overtakes, cost });
    // As wide as the page, but a step is never too narrow to see.
    const smallest = 8, longest = Math.max(fixed.durationNs, joined.durationNs);
    const pixels = Math.max((byId("lock-step").clientWidth - left - right) / longest, smallest * joined.steps.length / joined.durationNs);
    timeline("lock-step", "Lock step", fixed, pixels);
    timeline("continuous", "Continuous batching", joined, pixels);
    compare(fixed, joined);
    showCommands(requests, asked);
  }

  function show(example) {
    byId("requests").value = example.requests;
    for (const name of ["places", "budget", "chunk", "stepUs", "rowUs"]) form.elements[name].value = example[name];
  }

  page.keys([["fresh", "prompt (rows)"], ["kept", "a token"], ["held", "a place held for nothing"], ["now", "arrival"]]);
  for (const button of form.querySelectorAll("[data-example]")) {
    button.addEventListener("click", () => { show(examples[button.dataset.example]); draw(); });
  }
  show(examples.straggler);
  page.live(form, draw);
})();
