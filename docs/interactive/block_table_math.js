// The books of paged attention: which blocks are free, cached or held, whose table names them, and what sharing does.
// The same decisions as stages/5_paged_attention/{block_pool,prefix_cache,paged_kv_store}.h, down to the number of each
// block; tests/pages plays random histories on both.
//
// A step is: reserve(), takeCopies() (the device copies what the books noted), write, commit().
"use strict";

const blockTableMath = (() => {
  function require(condition, message) {
    if (!condition) throw new Error(message);
  }

  /// Blocks: free ones are a stack, cached ones a list, oldest first; held ones have as many references as holders.
  class BlockPool {
    constructor(blocks) {
      this.references = new Array(blocks).fill(0);
      this.free = Array.from({ length: blocks }, (_, index) => blocks - 1 - index);
      this.cached = [];
    }

    get blocks() { return this.references.length; }
    get available() { return this.free.length + this.cached.length; }
    get held() { return this.blocks - this.available; }

    takeFree() {
      const block = this.free.pop();
      this.references[block] = 1;
      return block;
    }

    share(block) {
      if (this.references[block] === 0) this.cached.splice(this.cached.indexOf(block), 1);
      this.references[block] += 1;
    }

    /// One holder less. A block that was held once is free again, or cached if it is to `keep` its content.
    release(block, keep) {
      require(this.references[block] > 0, "only a held block can be released");
      this.references[block] -= 1;
      if (this.references[block] > 0) return;
      (keep ? this.cached : this.free).push(block);
    }

    /// The oldest cached block's content is given up: it is free.
    discardOldest() {
      const block = this.cached.shift();
      this.free.push(block);
      return block;
    }
  }

  /// Known blocks: by their tokens and the block that they follow on. The engine finds them by a hash and then compares;
  /// here the text itself is the key.
  class PrefixCache {
    constructor(blockSize) {
      this.blockSize = blockSize;
      this.blockOf = new Map();
      this.keyOf = new Map();
    }

    key(parent, tokens) { return JSON.stringify([parent, tokens]); }
    find(parent, tokens) { return this.blockOf.get(this.key(parent, tokens)); }
    knows(block) { return this.keyOf.has(block); }
    tokensOf(block) { return JSON.parse(this.keyOf.get(block))[1]; }

    insert(block, parent, tokens) {
      this.blockOf.set(this.key(parent, tokens), block);
      this.keyOf.set(block, this.key(parent, tokens));
    }

    forget(block) {
      this.blockOf.delete(this.keyOf.get(block));
      this.keyOf.delete(block);
    }

    /// The longest known chain of whole blocks that `tokens` begin with.
    match(tokens) {
      const blocks = [];
      let parent = noParent;
      for (let end = this.blockSize; end <= tokens.length; end += this.blockSize) {
        const block = this.find(parent, tokens.slice(end - this.blockSize, end));
        if (block === undefined) break;
        blocks.push(block);
        parent = block;
      }
      return blocks;
    }
  }

  const noParent = -1;
  const noTable = () => ({ blocks: [], reserved: 0, tokens: [], known: 0, hasRoom: false });

  /// Block tables by the id of a request.
  class PagedStore {
    constructor(blocks, blockSize, prefixCache) {
      this.blockSize = blockSize;
      this.pool = new BlockPool(blocks);
      this.cache = prefixCache ? new PrefixCache(blockSize) : null;
      this.tables = new Map();
      this.copies = [];
      this.counts = { lookups: 0, hitTokens: 0, copies: 0, evictions: 0 };
    }

    blocksFor(positions) { return Math.ceil(positions / this.blockSize); }
    known(block) { return this.cache !== null && this.cache.knows(block); }
    tableOf(id) { return this.tables.get(id) || noTable(); }

    /// What it takes to hold positions [0, upto): blocks behind those in the table; a copy of the block that is written
    /// first, if others read it; or, where there is no room for that copy, that the cache forgets it.
    need(table, upto) {
      const nothing = { fresh: 0, copy: false, forget: false };
      if (upto <= table.reserved) return nothing;
      const fresh = this.blocksFor(upto) - table.blocks.length;
      if (table.tokens.length % this.blockSize === 0) return { ...nothing, fresh };
      const first = table.blocks[this.blockWritten(table)];
      const othersHoldIt = this.pool.references[first] > 1;
      if (!othersHoldIt && !this.known(first)) return { ...nothing, fresh };
      const copy = othersHoldIt || fresh < this.pool.available;
      return { fresh, copy, forget: !copy };
    }

    blockWritten(table) { return Math.floor(table.tokens.length / this.blockSize); }

    /// False: there is no room, and nothing has changed.
    reserve(id, upto) {
      const before = this.tableOf(id);
      if (upto <= before.reserved) return true;
      require(this.copies.length === 0, "copies are taken before the next step is planned");
      const need = this.need(before, upto);
      if (need.fresh + (need.copy ? 1 : 0) > this.pool.available) return false;
      const table = this.tables.get(id) || noTable();
      this.tables.set(id, table);
      if (need.copy) this.copyOnWrite(table, this.blockWritten(table));
      for (let i = 0; i < need.fresh; ++i) table.blocks.push(this.takeBlock());
      if (need.forget) this.cache.forget(table.blocks[this.blockWritten(table)]);
      table.reserved = upto;
      if (!table.hasRoom) {
        table.hasRoom = true;
        this.counts.lookups += 1;
        this.counts.hitTokens += table.tokens.length;
      }
      return true;
    }

    /// The old block is kept until the device has copied it.
    copyOnWrite(table, index) {
      const from = table.blocks[index];
      const to = this.takeBlock();
      this.pool.share(from);
      this.copies.push({ from, to });
      this.giveBack(from);
      table.blocks[index] = to;
      this.counts.copies += 1;
    }

    takeCopies() {
      const copies = this.copies;
      this.copies = [];
      for (const { from } of copies) this.giveBack(from);
      return copies;
    }

    /// A free block, or else the one that has not been wanted for longest.
    takeBlock() {
      if (this.pool.free.length === 0) {
        this.cache.forget(this.pool.discardOldest());
        this.counts.evictions += 1;
      }
      return this.pool.takeFree();
    }

    giveBack(block) { this.pool.release(block, this.known(block)); }

    /// `tokens` are all that is stored now; full blocks become known, or give way to an equal one that is known already.
    commit(id, tokens) {
      const table = this.tables.get(id);
      require(table && tokens.length <= table.reserved, "what is committed has a place");
      table.tokens = tokens.slice();
      if (this.cache === null) return;
      for (const full = Math.floor(tokens.length / this.blockSize); table.known < full; ++table.known) {
        this.publish(table, table.known);
      }
    }

    publish(table, index) {
      const tokens = table.tokens.slice(index * this.blockSize, (index + 1) * this.blockSize);
      const parent = index === 0 ? noParent : table.blocks[index - 1];
      const equal = this.cache.find(parent, tokens);
      if (equal === undefined) {
        this.cache.insert(table.blocks[index], parent, tokens);
        return;
      }
      this.pool.share(equal);
      this.giveBack(table.blocks[index]);
      table.blocks[index] = equal;
    }

    /// A newcomer takes over what is stored already of its tokens, but for the last one, which has to be computed.
    matchPrefix(id, tokens) {
      if (this.cache === null) return 0;
      const blocks = this.cache.match(tokens);
      return this.share(id, blocks, tokens, Math.min(tokens.length - 1, blocks.length * this.blockSize));
    }

    /// `child` shares the blocks that hold the first `length` tokens of `parent`, the last one even if it is not full.
    fork(parent, child, length) {
      const table = this.tables.get(parent);
      require(table && length <= table.tokens.length, "what a fork shares is committed");
      return this.share(child, table.blocks, table.tokens, length);
    }

    share(id, blocks, tokens, length) {
      require(!this.tables.has(id), "a request shares before it holds anything");
      if (length < 1) return 0;
      const shared = blocks.slice(0, this.blocksFor(length));
      for (const block of shared) this.pool.share(block);
      const known = this.cache === null ? 0 : Math.floor(length / this.blockSize);
      this.tables.set(id, { blocks: shared, reserved: length, tokens: tokens.slice(0, length), known, hasRoom: false });
      return length;
    }

    /// The last block first, so that what remains of a chain is always its beginning.
    release(id) {
      for (const block of this.tableOf(id).blocks.slice().reverse()) this.giveBack(block);
      this.tables.delete(id);
    }

    truncate(id, length) {
      const table = this.tables.get(id);
      while (table.blocks.length > this.blocksFor(length)) this.giveBack(table.blocks.pop());
      table.reserved = length;
      table.tokens.length = Math.min(table.tokens.length, length);
      table.known = Math.min(table.known, Math.floor(length / this.blockSize));
      if (length === 0) this.tables.delete(id);
    }

    /// For each block the id of the request that holds it, or "free", "cached" or "shared".
    owners() {
      const owners = new Array(this.pool.blocks).fill("free");
      for (const block of this.pool.cached) owners[block] = "cached";
      for (const [id, table] of this.tables) {
        for (const block of table.blocks) owners[block] = owners[block] === "free" ? id : "shared";
      }
      return owners;
    }

    /// Slots of blocks that are held, and those of them that hold a token; what is shared counts once.
    usage() {
      const filled = new Map();
      for (const table of this.tables.values()) {
        table.blocks.forEach((block, index) => {
          const own = Math.min(this.blockSize, table.reserved - index * this.blockSize);
          filled.set(block, Math.max(filled.get(block) || 0, own));
        });
      }
      const reserved = filled.size * this.blockSize;
      const used = [...filled.values()].reduce((sum, slots) => sum + slots, 0);
      return { reserved, used, waste: reserved ? 1 - used / reserved : 0 };
    }
  }

  return { PagedStore, noParent };
})();

if (typeof module !== "undefined") module.exports = blockTableMath;
