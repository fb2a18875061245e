# Sourced by the rig's tests: the program that they run.

# program ARCH OUT: the program for amd64 or arm64, stripped: the one that LODESTAR_PROGRAM_AMD64 or LODESTAR_PROGRAM_ARM64 names, such as
# a release's, else built here. Needs `rig_folder`.
program() {
  local given=LODESTAR_PROGRAM_${1^^}
  if [ -n "${!given:-}" ]; then
    cp "${!given}" "$2"
  elif [ "$1" = arm64 ]; then
    "$rig_folder/cross-build" . lodestar "$2" >&2
  else
    build_static lodestar "$2"
  fi
}

# build_static PRODUCT OUT: builds a product for this machine, with Swift's library linked in, stripped.
build_static() {
  local scratch=${RIG:-${XDG_CACHE_HOME:-$HOME/.cache}/lodestar-rig}/build/lodestar-x86
  swift build -c release --product "$1" --static-swift-stdlib --scratch-path "$scratch" >&2
  strip -o "$2" "$scratch/release/$1"
}
