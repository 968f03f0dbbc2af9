// must fail: lab04.t3.c1: next
// One overtake too many: > where the promise says >=. With 0 overtakes it is not first come, first served any more.
// >>> LAB lab04.t3/next
for (size_t i = 0; i < waiting.size(); ++i) {
  if (waiting[i].overtaken > max_overtakes) return i;
}
size_t best = 0;
for (size_t i = 0; i < waiting.size(); ++i) {
  if (waiting[i].prompt < waiting[best].prompt) best = i;
}
return best;
// <<< LAB lab04.t3/next
