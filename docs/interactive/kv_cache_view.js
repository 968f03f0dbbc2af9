// Draws the passes of stages 1 and 2, a row a pass and a column a position, and what the cache holds. Counts: kv_cache_math.js.
"use strict";

(() => {
  const { mark, text, byId, whole, decimals, bytes } = page;
  const cell = 14, left = 46, right = 150, top = 20;
  const mostPositions = 48, mostPasses = 32; // that are drawn
  const form = byId("lengths"), slider = form.elements.pass;

  function grid(id, title, passes, made, positions) {
    const columns = Math.min(positions, mostPositions);
    const from = Math.max(0, Math.min(made, passes.length) - mostPasses);
    const shown = passes.slice(from, from + mostPasses);
    const marks = [text(left, 13, `position 0 to ${whole(columns - 1)}${columns < positions ? ` of ${whole(positions - 1)}` : ""}`)];
    shown.forEach((pass, row) => {
      const number = from + row + 1, y = top + row * cell;
      marks.push(text(left - 6, y + 11, whole(number), { "text-anchor": "end" }));
      for (let column = 0; column < columns; ++column) {
        marks.push(mark("rect", { x: left + column * cell, y, width: cell - 2, height: cell - 2, rx: 2, class: kindOf(pass, column, number <= made) }));
      }
      if (number === made) {
        const sum = kvCacheMath.rowsOf(passes, made);
        marks.push(text(left + columns * cell + 8, y + 11, `${whole(pass.again + pass.fresh)} in, ${whole(sum)} so far`, { class: "strong" }));
      }
    });
    const description = `A row a pass. In pass ${made} ${whole(passes[made - 1].read)} tokens are read from the cache, ` +
      `${whole(passes[made - 1].again)} are computed again and ${whole(passes[made - 1].fresh)} are new.`;
    page.drawing(id, title, description, left + columns * cell + right, top + shown.length * cell + 4, marks);
  }

  function kindOf(pass, position, isMade) {
    if (!isMade) return "empty";
    if (position < pass.read) return "kept moves";
    if (position < pass.read + pass.again) return "again moves";
    return position < pass.read + pass.again + pass.fresh ? "fresh moves" : "empty";
  }

  function draw() {
    const output = Number(form.elements.output.value);
    if (Number.isInteger(output) && output >= 1 && String(output) !== slider.max) {
      slider.max = output;
      slider.value = output;
    }
    const asked = page.numbers(form);
    if (!asked) return;
    byId("pass-number").textContent = `${whole(asked.pass)} of ${whole(asked.output)}`;
    const naive = kvCacheMath.passes(asked.prompt, asked.output, false);
    const cached = kvCacheMath.passes(asked.prompt, asked.output, true);
    const positions = asked.prompt + asked.output - 1;
    grid("naive", "Passes of stage 1", naive, asked.pass, positions);
    grid("cached", "Passes of stage 2", cached, asked.pass, positions);
    sayCounts(asked, naive, cached);
    drawMemory(asked, positions);
  }

  function sayCounts(asked, naive, cached) {
    const so = [naive, cached].map((passes) => kvCacheMath.rowsOf(passes, asked.pass));
    const all = [kvCacheMath.naiveTokensForwarded(asked.prompt, asked.output), kvCacheMath.cachedTokensForwarded(asked.prompt, asked.output)];
    page.say(`After pass ${whole(asked.pass)}: ${whole(so[0])} tokens have gone through the model without a cache, ${whole(so[1])} with one. ` +
      `In the end: n p + n (n - 1) / 2 = ${whole(all[0])} against p + n - 1 = ${whole(all[1])}, which is ${decimals(all[0] / all[1], 1)} times as many.`);
  }

  function drawMemory(asked, positions) {
    const width = Number(byId("bytes").value), gib = 2 ** 30;
    if (asked.heads % asked.kvHeads !== 0) {
      byId("problem").textContent = `${asked.heads} query heads cannot share ${asked.kvHeads} K/V heads evenly`;
      return;
    }
    const perToken = kvCacheMath.kvBytesPerToken(asked.layers, asked.kvHeads, asked.headDim, width);
    byId("law").textContent = `A token: 2 x ${asked.layers} layers x ${asked.kvHeads} K/V heads x ${asked.headDim} x ${width} bytes = ${whole(perToken)} bytes. ` +
      `After the last pass the cache holds ${whole(positions)} tokens (the last word is never fed back): ${bytes(positions * perToken)}.`;
    const rows = kvCacheMath.headSharings(asked.heads, asked.kvHeads, asked.layers, asked.headDim, width).map((sharing) => [
      sharing.name + (sharing.kvHeads === asked.kvHeads ? ", this model" : ""), whole(sharing.kvHeads), whole(sharing.bytes),
      bytes(positions * sharing.bytes), whole(kvCacheMath.tokensIn(gib, sharing.bytes))]);
    page.table("memory", "If the query heads shared keys and values differently",
      ["", "K/V heads", "bytes a token", "these tokens", "tokens in 1 GiB"], rows);
  }

  function choose() {
    const model = kvCacheMath.models[byId("model").selectedIndex];
    for (const name of ["layers", "heads", "kvHeads", "headDim"]) form.elements[name].value = model[name];
  }

  let playing = 0;
  function stop() {
    clearInterval(playing);
    playing = 0;
    byId("play").textContent = "Play";
  }

  function play() {
    const step = 350; // ms
    if (playing) return stop();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      slider.value = Number(slider.value) < Number(slider.max) ? Number(slider.value) + 1 : 1;
      return draw();
    }
    if (slider.value === slider.max) slider.value = 0;
    byId("play").textContent = "Stop";
    playing = setInterval(() => {
      slider.value = Number(slider.value) + 1;
      draw();
      if (slider.value === slider.max) stop();
    }, step);
  }

  page.keys([["fresh", "computed, new"], ["again", "computed again"], ["kept", "read from the cache"], ["empty", "nothing"]]);
  byId("model").append(...kvCacheMath.models.map((model) => page.element("option", {}, model.name)));
  byId("model").addEventListener("change", () => { choose(); draw(); });
  byId("play").addEventListener("click", play);
  page.live(form, draw);
})();
