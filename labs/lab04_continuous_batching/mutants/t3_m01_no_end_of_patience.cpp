// must fail: lab04.t3.c4: short requests before it
// The shortest always: a long prompt starves while short ones keep coming.
// >>> LAB lab04.t3/next
const auto shortest = std::min_element(waiting.begin(), waiting.end(),
                                       [](const Request& a, const Request& b) { return a.prompt < b.prompt; });
return size_t(shortest - waiting.begin());
// <<< LAB lab04.t3/next
