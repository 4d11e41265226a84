# shellcheck shell=bash
# Sourced by the other scripts: speaks to people and installs what is missing.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
me=$(basename "$0")

say() { printf '%s\n' "$*" >&2; }
die() { say "$me: $1"; exit "${2:-1}"; }

# install PACKAGE ... : from the distribution, where we may; else says what to type.
install() {
  command -v apt-get >/dev/null \
    || die "missing: $*; install them (the names are Debian's) and run $me again"
  [ "$(id -u)" = 0 ] || die "missing: $*; run: sudo apt-get install $*"
  say "$me: installing $*"
  [ -n "${lists_are_fresh:-}" ] || apt-get update -qq >&2 </dev/null
  lists_are_fresh=yes
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" \
    >&2 </dev/null
}

is_installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

# What the build needs: Swift 6 and libudev's headers.
need_compiler() {
  local missing=()
  command -v swift >/dev/null || missing+=(swiftlang libc6-dev libstdc++-14-dev binutils)
  command -v pkg-config >/dev/null || missing+=(pkg-config)
  [ -e /usr/include/libudev.h ] || missing+=(libudev-dev)
  command -v git >/dev/null || missing+=(git)
  [ ${#missing[@]} -eq 0 ] || install "${missing[@]}"
  local version
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\).*/\1/p' | head -n 1) || true
  [ "${version:-0}" -ge 6 ] \
    || die "Swift 6.0 or newer is needed (this is ${version:-unknown}): Debian 13's swiftlang, or swift.org's"
  link_cxx /usr/lib/gcc/"$(uname -m)"-linux-gnu
}

# Of C++'s runtime Swift's needs a little, which goes into the program as well: the linker looks first
# into a folder that has no shared one. A daemon has 0.3 MB less and starts in four fifths of the time.
# link_cxx FOLDER: of gcc, for the machine that is built for. Where it has none, the shared one is used.
link_cxx() {
  local library
  library=$(find "$1" -name 'libstdc++.a' 2>/dev/null | sort -V | tail -n 1) || true
  rm -f "$cxx_folder/libstdc++.a"
  [ -z "$library" ] || { mkdir -p "$cxx_folder" && ln -s "$library" "$cxx_folder/libstdc++.a"; }
}
cxx_folder=$root/.build/static-libraries

# What some tests use; without one of them those tests are skipped and say so.
want_tools() {
  local missing=() package
  for package in "$@"; do is_installed "$package" || missing+=("$package"); done
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    install "${missing[@]}"
  else
    say "$me: not installed, so the tests that use them are skipped: ${missing[*]}"
  fi
}

# want_python FOLDER PACKAGE ... : of PyPI, into a folder of our own; without them, what uses them is
# left out and says so.
want_python() {
  local folder=$1
  shift
  [ ! -d "$folder" ] || return 0
  python3 -m pip install --quiet --root-user-action ignore --target "$folder" "$@" >&2 \
    || say "$me: cannot be installed by python3 -m pip, and left out: $*"
}

# One file without the runtime's exported names, and with the relocations packed (glibc 2.36 on): a
# third smaller. Overlapping accesses are looked for by the tests, which run without optimisation, and
# not each time the daemon reads a property. What the running daemon needs lies together (see
# Scripts/order-functions), so that the kernel keeps less of the program in memory and a processor that
# just woke up has less to fetch.
# shellcheck disable=SC2034
static_flags=(--static-swift-stdlib -Xswiftc "-L$cxx_folder" -Xlinker -s -Xswiftc -use-ld=lld -Xlinker --icf=all
  -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -enforce-exclusivity=unchecked
  -Xlinker "--symbol-ordering-file=$root/Packaging/hot-functions.txt"
  -Xlinker --no-warn-symbol-ordering)

# A packaged program. Built in a folder of its own that is emptied first, as what an earlier build left
# may differ, and with names of files that are the same wherever the checkout lies.
# shellcheck disable=SC2034
package_flags=(-c release --product binnacle --scratch-path .build/package "${static_flags[@]}"
  -Xswiftc -file-prefix-map -Xswiftc "$root=." -Xcc "-ffile-prefix-map=$root=.")
