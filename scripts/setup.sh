# Sourced by scripts/demo and scripts/test: says what goes on, and installs the Debian packages that are missing.

say() { printf '\n== %s\n' "$*"; }

# need PACKAGE...: installs those that are not there; touches neither network nor root if all are.
need() {
  local missing=()
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "installing ${missing[*]}"
  local root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "not root and no sudo; as root run: apt-get install -y ${missing[*]}" >&2; exit 1; }
    root=(sudo)
  fi
  "${root[@]}" apt-get update -q
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
}

build_packages=(g++ cmake ninja-build pkg-config libfmt-dev nlohmann-json3-dev libcli11-dev libpcre2-dev libutf8proc-dev libhwy-dev)
test_packages=(catch2 clang clang-format doxygen graphviz nodejs perl)  # nodejs: tests/pages/run_node; perl: scripts/record
# For scripts/screenshot. Ubuntu has it only as a snap; its tests are then shown as not run.
if apt-cache show chromium >/dev/null 2>&1; then test_packages+=(chromium); fi

# configure PRESET [OPTION...]
configure() {
  local preset=$1
  shift
  cmake --preset "$preset" -G Ninja "$@" >"build/$preset.configure.log" 2>&1 || {
    cat "build/$preset.configure.log" >&2
    exit 1
  }
}
