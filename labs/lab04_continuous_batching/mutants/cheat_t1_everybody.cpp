// must get nothing: lab04.t1
// Everybody gets a row.
// >>> LAB lab04.t1/step
Plan plan;
for (const Request& request : batch.running) plan.push_back({request.id, request.computed, 1, true});
for (const Request& request : batch.waiting) plan.push_back({request.id, request.computed, 1, true});
return plan;
// <<< LAB lab04.t1/step
