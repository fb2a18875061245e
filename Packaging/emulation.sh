# Sourced: how a program of another architecture is run.

# runner PROGRAM: sets `runner` to the command that has to stand before it: none, or qemu-user with the libraries of the rig.
runner() {
  runner=()
  ! "$1" --version > /dev/null 2>&1 || return 0
  command -v qemu-aarch64-static > /dev/null || { echo 'needs qemu-aarch64-static: sudo apt install qemu-user-static' >&2; return 1; }
  runner=(qemu-aarch64-static -L "${RIG:-${XDG_CACHE_HOME:-$HOME/.cache}/lodestar-rig}/tools/sysroot")
}
