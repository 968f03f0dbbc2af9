// Draws what drafts gain at an acceptance, a length and a batch. Formulas: speculation_math.js.
"use strict";

(() => {
  const { mark, text, byId, whole, decimals, percent } = page;
  const form = byId("draft");
  const mostLength = 16, seed = 7;

  function draw() {
    const asked = page.numbers(form);
    if (!asked) return;
    byId("acceptance-value").textContent = percent(asked.acceptance);
    byId("length-value").textContent = whole(asked.length);
    byId("cost-value").textContent = decimals(asked.cost, 2);
    byId("requests-value").textContent = whole(asked.requests);
    const verify = (length) => speculationMath.verifyCost(length, asked.requests, asked.freeRows);
    sayGain(asked, verify);
    drawCalls(asked);
    drawGain(asked, verify);
    drawLengths(asked, verify);
  }

  function sayGain(asked, verify) {
    const v = verify(asked.length);
    const gain = speculationMath.speedUp(asked.acceptance, asked.length, asked.cost, v);
    const from = speculationMath.breakEvenAcceptance(asked.length, asked.cost, v);
    const best = speculationMath.bestLength(asked.acceptance, asked.cost, mostLength, verify);
    page.say(`${decimals(speculationMath.tokensPerCall(asked.acceptance, asked.length), 2)} tokens a call for ` +
      `${decimals(speculationMath.stepCost(asked.length, asked.cost, v), 2)} passes (drafting ${decimals(asked.length * asked.cost, 2)}, verifying ${decimals(v, 2)}): ` +
      `${decimals(gain, 2)} times as fast${gain < 1 ? ", a loss" : ""}. ` +
      (from === null ? "No acceptance makes up for what this draft costs. " : `It pays from an acceptance of ${percent(from)} on. `) +
      (best.length === 0 ? "Best here: not to draft." : `Best length here: ${best.length}, ${decimals(best.speedUp, 2)} times as fast.`));
  }

  function drawCalls(asked) {
    const cell = 26, left = 56, count = 10;
    const calls = speculationMath.drawCalls(asked.acceptance, asked.length, count, seed);
    const marks = [];
    calls.forEach((call, row) => {
      const y = row * cell;
      marks.push(text(left - 8, y + 16, `call ${row + 1}`, { "text-anchor": "end" }));
      for (let i = 0; i < call.drafted; ++i) {
        const kind = i < call.accepted ? "fresh" : i === call.accepted ? "again" : "empty";
        marks.push(mark("rect", { x: left + i * cell, y: y + 1, width: cell - 4, height: cell - 6, rx: 3, class: kind }));
        if (kind !== "empty") marks.push(text(left + i * cell + (cell - 4) / 2, y + 16, kind === "fresh" ? "✓" : "×", { class: "on-mark", "text-anchor": "middle" }));
      }
      marks.push(mark("rect", { x: left + call.drafted * cell + 6, y: y + 1, width: cell - 4, height: cell - 6, rx: 3, class: "kept" }));
      marks.push(text(left + (call.drafted + 1) * cell + 14, y + 16, `${call.accepted + 1}`, { class: "strong" }));
    });
    const counts = speculationMath.countAcceptance(calls);
    page.drawing("calls", "Ten calls of the target", `${counts.accepted} of ${counts.proposed} drafted tokens were accepted`, left + (asked.length + 1) * cell + 44, count * cell, marks);
    page.table("counts", "Counted in these ten calls, and expected", ["", "counted", "expected"], [
      ["tokens a call", decimals(counts.tokensPerCall, 2), decimals(speculationMath.tokensPerCall(asked.acceptance, asked.length), 2)],
      ["acceptance of a judged token", percent(counts.acceptance), percent(asked.acceptance)],
      ["guesses for nothing", whole(counts.proposed - counts.accepted), decimals(calls.length * (asked.length + 1 - speculationMath.tokensPerCall(asked.acceptance, asked.length)), 1)],
    ]);
  }

  function drawGain(asked, verify) {
    const width = Math.min(560, byId("gain").clientWidth), height = 260, left = 44, bottom = 40, steps = 100;
    const gainAt = (acceptance, v) => speculationMath.speedUp(acceptance, asked.length, asked.cost, v);
    const most = Math.max(1.5, gainAt(1, 1));
    const x = (acceptance) => left + acceptance * (width - left - 20), y = (gain) => 12 + (1 - gain / most) * (height - bottom - 12);
    const curve = (v, name) => mark("path", { class: name, d: "M" + Array.from({ length: steps + 1 }, (_, i) => `${x(i / steps).toFixed(1)} ${y(gainAt(i / steps, v)).toFixed(1)}`).join("L") });
    const marks = [];
    for (let gain = 0; gain <= most; gain += most > 8 ? 2 : most > 3 ? 1 : .5) {
      marks.push(mark("path", { class: gain === 1 ? "now" : "grid", d: `M${left} ${y(gain)}H${width - 20}` }), text(left - 6, y(gain) + 4, decimals(gain, gain % 1 ? 1 : 0), { "text-anchor": "end" }));
    }
    for (let share = 0; share <= 100; share += 20) marks.push(text(x(share / 100), height - bottom + 18, `${share} %`, { "text-anchor": "middle" }));
    marks.push(text(width - 20, height - 6, "acceptance", { "text-anchor": "end" }));
    const v = verify(asked.length);
    marks.push(curve(1, "curve other"), curve(v, "curve"));
    marks.push(mark("circle", { cx: x(asked.acceptance), cy: y(gainAt(asked.acceptance, v)), r: 6, class: "fresh" }));
    page.drawing("gain", "Speed-up by acceptance", `For drafts of ${asked.length}: ${decimals(gainAt(0, v), 2)} at acceptance 0, ${decimals(gainAt(1, v), 2)} at 1`, width, height, marks);
  }

  function drawLengths(asked, verify) {
    const rows = [1, 2, 3, 4, 6, 8, 12, 16].map((length) => {
      const v = verify(length), from = speculationMath.breakEvenAcceptance(length, asked.cost, v);
      return [whole(length), decimals(speculationMath.tokensPerCall(asked.acceptance, length), 2), decimals(v, 2),
        decimals(speculationMath.stepCost(length, asked.cost, v), 2), "x" + decimals(speculationMath.speedUp(asked.acceptance, length, asked.cost, v), 2),
        from === null ? "never" : percent(from)];
    });
    page.table("lengths", "At this acceptance, cost and batch", ["drafted", "tokens a call", "verifying, passes", "step, passes", "speed-up", "pays from"], rows);
  }

  page.keys([["fresh", "right"], ["again", "the first wrong one"], ["empty", "not judged"], ["kept", "the target's own"]]);
  page.live(form, draw);
})();
