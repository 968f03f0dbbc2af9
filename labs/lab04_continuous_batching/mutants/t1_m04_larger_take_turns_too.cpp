// must fail: lab04.t1.c2: ids in the plan
// All by last_served: a large chunk comes before requests that need a row each.
// >>> LAB lab04.t1/order
std::vector<Request*> order;
for (Request& request : running) order.push_back(&request);
std::sort(order.begin(), order.end(),
          [](const Request* a, const Request* b) { return a->last_served < b->last_served; });
return order;
// <<< LAB lab04.t1/order
