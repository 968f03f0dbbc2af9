// What a KV cache saves and what it holds, counted. The same laws as stages/core/counting_laws.h (tokens forwarded),
// ModelConfig::kv_bytes_per_token (bytes) and stages/2_kv_cache/work.h (head sharings); tests/pages compares them.
//
// Pure functions of integers; nothing here knows a page. p: prompt tokens, n: output tokens.
"use strict";

const kvCacheMath = (() => {
  /// Tokens that naive decoding forwards: p + (p + 1) + ... + (p + n - 1).
  function naiveTokensForwarded(prompt, output) {
    return output * prompt + (output * (output - 1)) / 2;
  }

  /// Tokens that are forwarded when K and V are kept: each once, the last one drawn not at all.
  function cachedTokensForwarded(prompt, output) {
    return output === 0 ? 0 : prompt + output - 1;
  }

  /// The passes that write `output` tokens, in order. In each pass positions [0, read) are read from the cache,
  /// [read, read + again) are computed though an earlier pass had computed them, and `fresh` ones behind are new.
  function passes(prompt, output, cached) {
    return Array.from({ length: output }, (_, pass) => {
      const fresh = pass === 0 ? prompt : 1;
      const old = prompt + pass - fresh;
      return { read: cached ? old : 0, again: cached ? 0 : old, fresh };
    });
  }

  /// Rows of the first `count` passes.
  function rowsOf(list, count) {
    return list.slice(0, count).reduce((sum, pass) => sum + pass.again + pass.fresh, 0);
  }

  /// Bytes of K and V that the cache holds for a token: one key and one value for each layer and K/V head.
  function kvBytesPerToken(layers, kvHeads, headDim, bytes) {
    return 2 * layers * kvHeads * headDim * bytes;
  }

  /// The same token if each query head had a key and value of its own (MHA), as the model has it if that is something in
  /// between (GQA), and if all query heads shared one (MQA).
  function headSharings(heads, kvHeads, layers, headDim, bytes) {
    const sharing = (name, count) => ({ name, kvHeads: count, bytes: kvBytesPerToken(layers, count, headDim, bytes) });
    const sharings = [sharing("MHA", heads)];
    if (kvHeads !== heads && kvHeads !== 1) sharings.push(sharing("GQA", kvHeads));
    if (heads !== 1) sharings.push(sharing("MQA", 1));
    return sharings;
  }

  /// How many tokens fit into `memory` bytes.
  function tokensIn(memory, bytesPerToken) {
    return Math.floor(memory / bytesPerToken);
  }

  /// Shapes of stages/plan/model_table.cpp, and of the model in the repository.
  const models = [
    { name: "tales-5m", layers: 6, heads: 8, kvHeads: 4, headDim: 32, context: 1024 },
    { name: "smollm2-135m", layers: 30, heads: 9, kvHeads: 3, headDim: 64, context: 8192 },
    { name: "llama-3.2-1b", layers: 16, heads: 32, kvHeads: 8, headDim: 64, context: 131072 },
    { name: "llama-2-7b", layers: 32, heads: 32, kvHeads: 32, headDim: 128, context: 4096 },
    { name: "llama-3.1-8b", layers: 32, heads: 32, kvHeads: 8, headDim: 128, context: 131072 },
    { name: "llama-3.1-70b", layers: 80, heads: 64, kvHeads: 8, headDim: 128, context: 131072 },
  ];

  return {
    naiveTokensForwarded, cachedTokensForwarded, passes, rowsOf, kvBytesPerToken, headSharings, tokensIn, models,
  };
})();

if (typeof module !== "undefined") module.exports = kvCacheMath;
