// must fail: lab02.t5.c3: tokens whose keys are stored
// Equal tokens are counted, also those after the first difference: their keys have changed.
// >>> LAB lab02.t5/valid
int64_t equal = 0;
for (size_t i = 0; i < std::min(stored.size(), text.size()); ++i) equal += stored[i] == text[i];
return equal;
// <<< LAB lab02.t5/valid
