// must get nothing: lab03.t2
// Nothing at all.
// >>> LAB lab03.t2/tile
return {};
// <<< LAB lab03.t2/tile
// >>> LAB lab03.t2/row

// <<< LAB lab03.t2/row
