#!/usr/bin/env bash
# Looks into the PTX that nvcc makes of the kernels, with the options that they are built with: whether the arithmetic is
# exact (EXACTNESS R10), whether hot kernels load 16 bytes at a time, whether anything lies in local memory.
#
#   inspect_ptx.sh NVCC SOURCE_DIR EXACT_OPTIONS OTHER_OPTIONS     each OPTIONS one argument, separated by spaces
set -euo pipefail
nvcc=$1 source_dir=$2 exact=$3 other=$4
kernels=$source_dir/kernels/cuda
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A bare add, sub or mul may still be contracted to fma by the assembler; with .rn it may not.
inexact='^\s+(@!?%p[0-9]+ )?((add|sub|mul)\.f32|[a-z0-9]+(\.[a-z]+)*\.(ftz|approx)|div\.full|(ex2|lg2|sin|cos|tanh)\.)'
vector_load='ld\.(global|shared)(\.nc)?\.v4'
local_memory='^\s+(ld|st)\.local'

compile() { # SOURCE OPTIONS: prints the path of the PTX
  local name ptx
  name=$(basename "$1" .cu)
  ptx=$folder/$name.$RANDOM.ptx
  # shellcheck disable=SC2086  # options are words
  "$nvcc" $2 $other -arch=compute_80 -ptx "$1" -o "$ptx"
  echo "$ptx"
}

failures=0
fail() {
  echo "FAIL $1"
  failures=$((failures + 1))
}

inspect() { # SOURCE
  local name=${1#"$kernels"/} ptx
  ptx=$(compile "$1" "$exact")
  if grep -nEm3 "$inexact" "$ptx"; then fail "$name: arithmetic that is not exact"; fi
  case $name in
    *_v1_*) ;; # shows what local memory costs
    *) if grep -nEm3 "$local_memory" "$ptx"; then fail "$name: local memory"; fi ;;
  esac
  case $name in
    add.cu | embedding.cu | swiglu.cu | linear/*_v[34]_* | attention/*_v[34]_*)
      grep -qE "$vector_load" "$ptx" || fail "$name: no 16-byte loads" ;;
  esac
  echo "inspected $name: $(grep -cE '^\s+fma\.rn\.f32' "$ptx") fma, $(grep -cE "$vector_load" "$ptx") 16-byte loads"
}

# The inspection must be able to fail.
must_find() { # PATTERN SOURCE OPTIONS WHAT
  grep -qE "$1" "$(compile "$2" "$3")" || fail "the inspection does not notice $4"
}
must_find "$inexact" "$kernels/swiglu.cu" "--use_fast_math" "fast math"
must_find "$inexact" "$kernels/rope.cu" "-fmad=true" "contraction"
must_find "$inexact" "$kernels/rms_norm.cu" "-fmad=false -prec-sqrt=false" "an approximate square root"
must_find "$local_memory" "$kernels/linear/linear_v1_row_per_thread.cu" "$exact" "local memory"
if grep -qE "$vector_load" "$(compile "$kernels/linear/linear_v2_coalesced.cu" "$exact")"; then
  fail "the inspection sees 16-byte loads where there are none"
fi

sources=$(find "$kernels" -name '*.cu' | sort)
for source in $sources; do inspect "$source"; done
[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "all $(wc -w <<<"$sources") files are as they should be"
