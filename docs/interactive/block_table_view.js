// Plays requests on the store of block_table_math.js and draws its pool, tables and books.
"use strict";

(() => {
  const { mark, text, byId, whole, percent } = page;
  const form = byId("pool-form");
  const names = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const longestWord = 7; // letters that are drawn
  let store, requests, begun, settings;

  const nameOf = (id) => names[id % names.length] + (id < names.length ? "" : Math.floor(id / names.length));
  const listed = (blocks) => blocks.join(", ") || "none";

  /// An empty pool. False: what was asked for makes no sense.
  function empty() {
    const asked = page.numbers(form);
    if (!asked) return false;
    settings = { blocks: asked.blocks, blockSize: Number(byId("block-size").value), prefixCache: byId("prefix-cache").checked };
    store = new blockTableMath.PagedStore(settings.blocks, settings.blockSize, settings.prefixCache);
    requests = new Map();
    begun = 0;
    return true;
  }

  /// One step that stores all of a request's tokens; what the books say about it.
  function storeAll(id) {
    const tokens = requests.get(id), before = store.tableOf(id).blocks.length, evicted = store.counts.evictions;
    if (!store.reserve(id, tokens.length)) return null;
    const copies = store.takeCopies();
    store.commit(id, tokens);
    const parts = [];
    const fresh = store.tableOf(id).blocks.length - before;
    if (copies.length > 0) parts.push(`it was to write into block ${copies[0].from}, which is not its alone: copied to block ${copies[0].to}`);
    if (fresh > 0) parts.push(`${fresh} new block${fresh > 1 ? "s" : ""}`);
    if (store.counts.evictions > evicted) parts.push(`${store.counts.evictions - evicted} kept block${store.counts.evictions - evicted > 1 ? "s" : ""} given up for that`);
    return parts.length > 0 ? parts.join("; ") : "there was room in its last block";
  }

  function begin(prompt) {
    const tokens = prompt.split(/\s+/).filter((word) => word !== "");
    if (tokens.length === 0) return "A prompt needs a word at least.";
    const id = begun, name = nameOf(id);
    const found = store.matchPrefix(id, tokens);
    requests.set(id, tokens);
    const done = storeAll(id);
    if (done === null) {
      store.release(id);
      requests.delete(id);
      return `${name} of ${tokens.length} tokens does not fit: it waits outside.`;
    }
    ++begun;
    return `${name}: ${found > 0 ? `${found} of its ${tokens.length} tokens were stored already; ` : ""}${done}. Its table: ${listed(store.tableOf(id).blocks)}.`;
  }

  function write(id) {
    const tokens = requests.get(id);
    tokens.push(`${nameOf(id).toLowerCase()}${tokens.length}`);
    const done = storeAll(id);
    if (done !== null) return `${nameOf(id)} writes "${tokens[tokens.length - 1]}": ${done}.`;
    tokens.pop();
    return `${nameOf(id)} finds no block. The engine would now preempt whoever was let in last; here somebody has to end.`;
  }

  function fork(id) {
    const child = begun++;
    store.fork(id, child, requests.get(id).length);
    requests.set(child, requests.get(id).slice());
    return `${nameOf(child)} shares all blocks of ${nameOf(id)}, also a last one that is not full: ${listed(store.tableOf(child).blocks)}. Nothing was copied.`;
  }

  function release(id) {
    const cached = store.pool.cached.length, free = store.pool.free.length;
    store.release(id);
    requests.delete(id);
    return `${nameOf(id)} ends: ${store.pool.free.length - free} of its blocks are free, ${store.pool.cached.length - cached} are kept for the next one with that prefix.`;
  }

  const stories = {
    prefix: () => [begin("you are a helpful assistant . who are you"), begin("you are a helpful assistant . tell me more")],
    copy: () => [begin("once upon a time there was"), fork(0), write(1), write(0)],
    full: () => {
      const said = [begin("one two three four five"), begin("six seven eight nine")];
      const needsBlock = (id) => store.pool.available === 0 && store.tableOf(id).reserved % settings.blockSize === 0;
      for (let i = 0; !needsBlock(0) && !needsBlock(1); ++i) said.push(write(i % 2));
      return [...said.slice(-2), write(needsBlock(0) ? 0 : 1)];
    },
  };

  /// What lies in a block. A shared one may be filled further by one of its holders than by another.
  function wordsOf(block) {
    if (store.pool.cached.includes(block)) return store.cache.tokensOf(block);
    let most = [];
    for (const table of store.tables.values()) {
      const index = table.blocks.indexOf(block);
      const words = index < 0 ? [] : table.tokens.slice(index * settings.blockSize, (index + 1) * settings.blockSize);
      if (words.length > most.length) most = words;
    }
    return most;
  }

  const short = (word) => (word.length > longestWord ? word.slice(0, longestWord - 1) + "…" : word);

  function drawPool() {
    const slot = 58, row = 34, left = 40, right = 130, owners = store.owners();
    const columns = settings.blockSize > 4 ? 1 : Math.max(1, Math.floor(byId("pool").clientWidth / (left + settings.blockSize * slot + right)));
    const width = left + settings.blockSize * slot + right, marks = [];
    owners.forEach((owner, block) => {
      const x0 = (block % columns) * width, y = Math.floor(block / columns) * row;
      const words = wordsOf(block);
      marks.push(text(x0 + left - 8, y + 20, block, { "text-anchor": "end", class: "strong" }));
      for (let i = 0; i < settings.blockSize; ++i) {
        const kind = owner === "cached" ? "kept" : owner === "shared" && i < words.length ? "again" : i < words.length ? "fresh" : owner === "free" ? "empty" : "held";
        marks.push(mark("rect", { x: x0 + left + i * slot, y: y + 4, width: slot - 3, height: row - 10, rx: 3, class: kind + " moves" }));
        if (i < words.length) marks.push(text(x0 + left + i * slot + (slot - 3) / 2, y + 20, short(words[i]), { class: kind === "kept" ? "on-kept" : "on-mark", "text-anchor": "middle" }));
      }
      marks.push(text(x0 + left + settings.blockSize * slot + 6, y + 20, holders(owner, block)));
    });
    page.drawing("pool", "The pool, a row a block", `${store.pool.held} blocks held, ${store.pool.cached.length} kept, ${store.pool.free.length} free`,
      columns * width, Math.ceil(owners.length / columns) * row, marks);
  }

  function holders(owner, block) {
    if (owner === "free" || owner === "cached") return owner === "free" ? "free" : "kept";
    return [...store.tables].filter(([, table]) => table.blocks.includes(block)).map(([id]) => nameOf(id)).join(" ");
  }

  function drawTables() {
    const rows = [...store.tables].map(([id, table]) => [nameOf(id), listed(table.blocks), whole(table.tokens.length),
      whole(table.blocks.length * settings.blockSize - table.reserved)]);
    page.table("tables", rows.length > 0 ? "Block i of a table holds its tokens from i x block size on" : "Nobody is in.",
      ["request", "blocks", "tokens", "empty slots"], rows);
    const chosen = byId("chosen"), before = chosen.value;
    chosen.replaceChildren(...[...requests.keys()].map((id) => page.element("option", { value: id }, nameOf(id))));
    if (requests.has(Number(before)) && before !== "") chosen.value = before;
    for (const id of ["chosen", "write", "fork", "release"]) byId(id).disabled = requests.size === 0;
  }

  function drawBooks() {
    const { reserved, used, waste } = store.usage();
    const alone = [...requests.values()].reduce((sum, tokens) => sum + tokens.length, 0);
    page.table("books", "Slots hold one token's keys and values each", ["", "count"], [
      ["blocks held / kept / free", `${store.pool.held} / ${store.pool.cached.length} / ${store.pool.free.length}`],
      ["slots held", whole(reserved)], ["of them with a token", whole(used)], ["waste", percent(waste)],
      ["tokens of all requests, stored for each alone", whole(alone)],
      ["tokens found stored", whole(store.counts.hitTokens)], ["blocks copied on write", whole(store.counts.copies)], ["kept blocks given up", whole(store.counts.evictions)],
    ]);
  }

  function draw() {
    drawPool();
    drawTables();
    drawBooks();
  }

  /// Does `action`, says what came of it, and draws.
  function act(action) {
    page.say(action());
    draw();
  }

  function start() {
    if (empty()) act(() => "An empty pool.");
  }

  /// Stories are told in the pool that they were written for.
  function tell(story) {
    form.elements.blocks.value = 12;
    byId("block-size").value = 4;
    byId("prefix-cache").checked = true;
    empty();
    act(() => story().join(" "));
  }

  page.keys([["fresh", "held by one"], ["again", "shared"], ["held", "held, empty"], ["kept", "kept for a known prefix"], ["empty", "free"]]);
  form.addEventListener("submit", (event) => { event.preventDefault(); act(() => begin(byId("prompt").value)); });
  for (const [id, action] of Object.entries({ write, fork, release })) {
    byId(id).addEventListener("click", () => act(() => action(Number(byId("chosen").value))));
  }
  for (const button of form.querySelectorAll("[data-story]")) button.addEventListener("click", () => tell(stories[button.dataset.story]));
  for (const id of ["block-size", "prefix-cache"]) byId(id).addEventListener("change", start);
  form.elements.blocks.addEventListener("change", start);
  addEventListener("resize", draw);
  tell(stories.prefix);
})();
