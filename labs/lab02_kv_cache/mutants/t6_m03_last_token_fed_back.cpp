// must fail: lab02.t6.c2: tokens
// One pass too many: the last token drawn is not fed back.
// >>> LAB lab02.t6/generation
Work work{};
for (int64_t drawn = 0; drawn <= output; ++drawn) {
  const int64_t known = prompt + drawn;
  const int64_t cached = decoding == Decoding::naive || drawn == 0 ? 0 : known - 1;
  const Step step{cached, known - cached, true};
  const Traffic traffic = step_traffic(model, step);
  work.tokens += step.rows;
  work.operations += operations(model, step);
  work.bytes_read += traffic.read;
  work.bytes_written += traffic.written;
}
return work;
// <<< LAB lab02.t6/generation
