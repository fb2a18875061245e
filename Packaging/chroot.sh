# Sourced: minimal Debian systems by debootstrap, each made once in $cache/roots and never written again; what is done in one is written
# into a layer above it (overlayfs). Needs root, and `cache`, the folder of $XDG_CACHE_HOME/lodestar-packages.

mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

# debian_root SUITE ARCH [NAME PACKAGE...]: makes $cache/roots/SUITE-ARCH[-NAME] where it is missing, and prints it. Waits where another
# script makes the same.
debian_root() {
  local suite=$1 arch=$2 root=$cache/roots/$1-$2${3:+-$3}
  shift 2
  local packages=ca-certificates package
  for package in "${@:2}"; do packages+=,$package; done
  mkdir -p "$cache/roots"
  exec 7> "$root.lock"
  flock 7
  if [ ! -e "$root.is-complete" ]; then
    rm -rf "$root"
    mkdir -p "$root"
    [ "$arch" = "$(dpkg --print-architecture)" ] || emulate "$arch"
    debootstrap --variant=minbase --arch="$arch" --include="$packages" "$suite" "$root" "$mirror" > "$root.log" 2>&1 || {
      tail -20 "$root.log" >&2
      return 1
    }
    rm -f "$root"/var/cache/apt/archives/*.deb
    touch "$root.is-complete"
  fi
  exec 7>&-
  echo "$root"
}

# emulate arm64: lets the kernel run programs of arm64 by qemu-user, in chroots too, until this script ends.
emulate() {
  local place=/proc/sys/fs/binfmt_misc
  [ ! -e $place/qemu-aarch64 ] || return 0
  [ -e /usr/lib/binfmt.d/qemu-aarch64.conf ] || { echo "needs qemu-user-static: sudo apt install qemu-user-static" >&2; return 1; }
  [ -e $place/register ] || mount -t binfmt_misc binfmt_misc $place
  # Its flag F lets the kernel hold the emulator open, so that a chroot needs no copy.
  cat /usr/lib/binfmt.d/qemu-aarch64.conf > $place/register
  registered=$place/qemu-aarch64
}
# For the caller's trap.
stop_emulation() { [ -z "${registered:-}" ] || { echo -1 > "$registered"; registered=''; }; }

# in_root ROOT LAYER [--bind FOLDER PLACE | --bind-read-only FOLDER PLACE]... -- COMMAND...: runs a command in ROOT, which stays as it is; what the command writes is in LAYER.
in_root() {
  local root=$1 layer=$2
  shift 2
  mkdir -p "$layer/upper" "$layer/work" "$layer/root"
  unshare --mount --pid --fork --kill-child --propagation private bash -euo pipefail -c '
    root=$1 layer=$2
    shift 2
    mount -t overlay overlay -o "lowerdir=$root,upperdir=$layer/upper,workdir=$layer/work" "$layer/root"
    cd "$layer/root"
    mount -t proc proc proc
    mount --rbind /dev dev
    mount -t sysfs -o ro sysfs sys
    mount -t tmpfs tmpfs run
    rm -f etc/resolv.conf && cp -L /etc/resolv.conf etc/resolv.conf
    grep -q " $(hostname)\$" etc/hosts 2> /dev/null || echo "127.0.0.1 localhost $(hostname)" >> etc/hosts
    while [ "$1" != -- ]; do
      mkdir -p ".$3"
      mount --bind "$2" ".$3"
      [ "$1" = --bind ] || mount -o remount,bind,ro ".$3"
      shift 3
    done
    shift
    exec chroot . env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
      DEBIAN_FRONTEND=noninteractive "$@" < /dev/null' in_root "$root" "$layer" "$@"
}

# git_mirrors ROOT: this host's rewrites of git addresses hold inside as well; sets `mirrors` to the --bind options of local ones.
git_mirrors() {
  local key from to
  mirrors=()
  : > "$1/etc/gitconfig"
  git config -f "$1/etc/gitconfig" --add safe.directory '*'
  while read -r key from; do
    to=${key#url.} to=${to%.insteadof}
    git config -f "$1/etc/gitconfig" --add "url.$to.insteadOf" "$from"
    case $to in /*) [[ " ${mirrors[*]-} " = *" $to $to "* ]] || mirrors+=(--bind-read-only "$to" "$to") ;; esac
  done < <(git config --get-regexp '^url\..*\.insteadof$' || true)
}
