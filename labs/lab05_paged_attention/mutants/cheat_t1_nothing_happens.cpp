// must get nothing: lab05.t1
// Always block 0, and no books.
// >>> LAB lab05.t1/take_free
return 0;
// <<< LAB lab05.t1/take_free
// >>> LAB lab05.t1/share
// <<< LAB lab05.t1/share
// >>> LAB lab05.t1/release
// <<< LAB lab05.t1/release
// >>> LAB lab05.t1/discard
// <<< LAB lab05.t1/discard
// >>> LAB lab05.t1/grow
return true;
// <<< LAB lab05.t1/grow
// >>> LAB lab05.t1/give_back
table.clear();
// <<< LAB lab05.t1/give_back
