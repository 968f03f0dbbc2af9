#!/usr/bin/env bash
# Looks into the machine code of the compiled kernels: no approximate exponential or logarithm, no spills in the kernels
# that the engine runs, 16-byte loads where they belong. Exits with 77, "not run", where cuobjdump or nvdisasm is missing.
#
#   inspect_sass.sh OBJECT...
set -euo pipefail
for tool in cuobjdump nvdisasm; do
  command -v "$tool" >/dev/null || { echo "not run: $tool is not installed"; exit 77; }
done

failures=0
fail() {
  echo "FAIL $1"
  failures=$((failures + 1))
}
spills='\b(LDL|STL)\b'
saw_spills=no

for object in "$@"; do
  name=$(basename "$object" .o)
  code=$(cuobjdump --dump-sass "$object")
  if grep -qE 'MUFU\.(EX2|LG2|SIN|COS|TANH)' <<<"$code"; then fail "$name: approximate functions"; fi
  if grep -qE "$spills" <<<"$code"; then
    saw_spills=yes
    case $name in *_v1_*) ;; *) fail "$name: local memory" ;; esac
  fi
  case $name in
    add | embedding | swiglu | linear_v[34]_* | attention_v[34]_*)
      grep -q 'LDG\.E\.128' <<<"$code" || fail "$name: no 16-byte loads" ;;
  esac
  echo "inspected $name: $(grep -c FFMA <<<"$code") FFMA, $(grep -c 'LDG\.E\.128' <<<"$code") 16-byte loads"
done
# The first versions of the ladders keep partial sums in local memory: if that is not seen, nothing else would be.
[ "$saw_spills" = yes ] || fail "the inspection does not notice local memory"
[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
