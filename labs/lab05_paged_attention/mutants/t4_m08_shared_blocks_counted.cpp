// must fail: lab05.t4.c5: blocks that become available
// Blocks that others hold, too, are counted as freed.
// >>> LAB lab05.t4/cost
PreemptionCost cost;
cost.blocks = int64_t(table.size());
cost.tokens = prefix_cache ? computed % block_size : computed;
return cost;
// <<< LAB lab05.t4/cost
