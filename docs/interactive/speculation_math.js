// When drafting pays. The same formulas as stages/6_speculative_decoding/break_even.h (Leviathan et al. 2023, arXiv
// 2211.17192) and the same counts as acceptance.h; tests/pages compares them.
//
// a: acceptance of a token if those before it were accepted; k: drafted tokens; c: cost of a drafted token and v of the
// pass that verifies k + 1 rows, both in passes of the target without drafts.
"use strict";

const speculationMath = (() => {
  /// 1 + a + ... + a^k.
  function tokensPerCall(acceptance, length) {
    if (acceptance >= 1) return length + 1;
    return (1 - Math.pow(acceptance, length + 1)) / (1 - acceptance);
  }

  /// Passes that a step with a draft takes: k c + v.
  function stepCost(length, perDraftToken, verify) {
    return length * perDraftToken + verify;
  }

  /// How many times as fast as without drafts; below 1 is a loss.
  function speedUp(acceptance, length, perDraftToken, verify) {
    return tokensPerCall(acceptance, length) / stepCost(length, perDraftToken, verify);
  }

  /// The acceptance from which drafts of `length` pay; null if they lose even when all is accepted.
  function breakEvenAcceptance(length, perDraftToken, verify) {
    const halvings = 52; // to the last bit
    const gain = (acceptance) => speedUp(acceptance, length, perDraftToken, verify);
    if (gain(1) < 1) return null;
    if (gain(0) >= 1) return 0;
    let losing = 0, paying = 1;
    for (let i = 0; i < halvings; ++i) {
      const middle = (losing + paying) / 2;
      if (gain(middle) < 1) losing = middle;
      else paying = middle;
    }
    return paying;
  }

  /// The best of the lengths 0 to `longest`; `verifyCost(k)` is v for k drafted tokens. Length 0: not drafting is best.
  function bestLength(acceptance, perDraftToken, longest, verifyCost) {
    let best = { length: 0, speedUp: 1 };
    for (let length = 1; length <= longest; ++length) {
      const gain = speedUp(acceptance, length, perDraftToken, verifyCost(length));
      if (gain > best.speedUp) best = { length, speedUp: gain };
    }
    return best;
  }

  /// v on a machine that computes `freeRows` rows in the time in which it reads the weights once (the roofline of
  /// stages/core/cost_model.h), for `requests` requests a step.
  function verifyCost(length, requests, freeRows) {
    return Math.max(freeRows, requests * (length + 1)) / Math.max(freeRows, requests);
  }

  /// Probabilities that exactly 0, 1, ..., k tokens of a draft are accepted.
  function acceptedDistribution(acceptance, length) {
    return Array.from({ length: length + 1 }, (_, accepted) =>
      Math.pow(acceptance, accepted) * (accepted < length ? 1 - acceptance : 1));
  }

  /// What became of drafts: `calls` is a list of {drafted, accepted}.
  function countAcceptance(calls) {
    const byPosition = [];
    let proposed = 0, accepted = 0, rejections = 0;
    for (const call of calls) {
      while (byPosition.length < call.drafted) byPosition.push({ proposed: 0, accepted: 0 });
      for (let i = 0; i < call.drafted; ++i) byPosition[i].proposed += 1;
      for (let i = 0; i < call.accepted; ++i) byPosition[i].accepted += 1;
      proposed += call.drafted;
      accepted += call.accepted;
      rejections += call.accepted < call.drafted ? 1 : 0;
    }
    const judged = accepted + rejections;
    return {
      byPosition, proposed, accepted,
      tokensPerCall: calls.length ? (accepted + calls.length) / calls.length : 0,
      acceptance: judged ? accepted / judged : 0,
    };
  }

  /// A made-up run of `count` calls with drafts of `length`: the same for the same seed (a 32-bit xorshift generator).
  function drawCalls(acceptance, length, count, seed) {
    let state = seed | 0 || 1;
    const uniform = () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return (state >>> 0) / 2 ** 32;
    };
    return Array.from({ length: count }, () => {
      let accepted = 0;
      while (accepted < length && uniform() < acceptance) ++accepted;
      return { drafted: length, accepted };
    });
  }

  return {
    tokensPerCall, stepCost, speedUp, breakEvenAcceptance, bestLength, verifyCost, acceptedDistribution,
    countAcceptance, drawCalls,
  };
})();

if (typeof module !== "undefined") module.exports = speculationMath;
