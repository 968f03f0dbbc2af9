// must fail: lab04.t1.c2: ids in the plan
// No turns: with fewer tokens than requests the last ones never get a row.
// >>> LAB lab04.t1/order
std::vector<Request*> order;
for (Request& request : running) order.push_back(&request);
std::stable_partition(order.begin(), order.end(), [](const Request* r) { return r->pending() == 1; });
return order;
// <<< LAB lab04.t1/order
