# Sourced by the scripts that build or test: checks the machine, finds a Swift of 6.0 or later and installs what is missing.
# Sets PATH and the variables below; prints to standard error, but `static_library` prints its result to standard output.

# The figures of Documentation/Installing.md, "What is needed", in MB.
needed_memory=2000
needed_disk=4000

need_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else
    echo "lodestar: '$*' needs root and sudo is not installed; run it as root and start again" >&2
    return 1
  fi
}

# No question from debconf: sudo drops the variable unless env sets it behind sudo.
apt_get() {
  need_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 "$@" </dev/null >&2
}

# Package lists are missing on a fresh machine.
update_lists() {
  [ -n "${lists_updated:-}" ] || apt_get update
  lists_updated=yes
}

has_lists() { [ -n "$(find /var/lib/apt/lists -maxdepth 1 -name '*_Packages*' -print -quit 2>/dev/null)" ]; }

install_packages() {
  command -v apt-get >/dev/null || {
    echo "lodestar: apt-get is missing (this is not Debian): install $* with this system's package manager" >&2
    return 1
  }
  echo "lodestar: installing $*" >&2
  has_lists || update_lists
  # Old lists name versions that the server has removed.
  apt_get install -y --no-install-recommends "$@" || {
    update_lists
    apt_get install -y --no-install-recommends "$@"
  }
}

# Swift is built for 64-bit systems only; too little memory or disk ends a build after many minutes.
check_machine() {
  case $(getconf LONG_BIT) in 64) ;; *)
    echo "lodestar: this is a 32-bit system ($(uname -m)); Swift needs a 64-bit one: install the 64-bit Raspberry Pi OS or Debian 13" >&2
    return 1 ;;
  esac
  local memory disk
  memory=$(awk '/^(MemTotal|SwapTotal):/ {sum += $2} END {print int(sum / 1024)}' /proc/meminfo)
  [ "${memory:-0}" -ge $needed_memory ] || cat >&2 <<MESSAGE
lodestar: warning: $memory MB of memory and swap; the build needs up to $needed_memory MB and may be ended by the
  kernel: add swap (sudo fallocate -l 2G /swapfile && sudo chmod 600 /swapfile && sudo mkswap /swapfile &&
  sudo swapon /swapfile), or build on a larger machine
MESSAGE
  disk=$(df -Pm . | awk 'NR == 2 {print $4}')
  [ -d .build ] || [ "${disk:-0}" -ge $needed_disk ] ||
    echo "lodestar: warning: $disk MB free here; Swift and the build take $needed_disk MB" >&2
}

swift_is_new_enough() {
  command -v swift >/dev/null || return 1
  local version
  version=$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+)\..*/\1/p' | head -1)
  [ "${version:-0}" -ge 6 ]
}

prepare_swift() {
  check_machine
  # Swift's own installer and Debian's package put it here without changing the PATH of a plain shell.
  for place in /usr/libexec/swift/bin /opt/swift/usr/bin "$HOME/.local/share/swiftly/bin"; do
    swift_is_new_enough && return
    [ -x "$place/swift" ] && PATH=$place:$PATH
  done
  swift_is_new_enough && return
  apt-cache show swiftlang >/dev/null 2>&1 || update_lists || true
  # No grep -q: it ends at the first match, and with pipefail the broken pipe of apt-cache would count as a failure.
  if apt-cache show swiftlang 2>/dev/null | grep -E '^Version: [6-9]' > /dev/null; then
    echo "lodestar: Swift is missing; Debian's swiftlang is a download of 0.5 GB and takes 3 GB of disk" >&2
    install_packages swiftlang
    [ -x /usr/libexec/swift/bin/swift ] && PATH=/usr/libexec/swift/bin:$PATH
  fi
  swift_is_new_enough && return
  cat >&2 <<'MESSAGE'
lodestar: no Swift 6.0 or later was found. Debian 13 and Raspberry Pi OS "trixie" package it
  (apt install swiftlang); on other systems see https://www.swift.org/install/linux/, then start again.
MESSAGE
  return 1
}

# first_build WHAT: how long it takes, before a first build.
first_build() {
  echo "lodestar: the first build$1 takes 4 to 20 minutes on two cores and up to 2 GB of memory; later ones seconds" >&2
}

prepare_tools() {
  local missing=()
  command -v git >/dev/null || missing+=(git)
  command -v cc >/dev/null || command -v clang >/dev/null || missing+=(gcc libc6-dev)
  [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
}

# Loaded when they are needed: SMBus-only adapters, GPIO lines (version 1 or 2), the gazetteer, BlueZ's bus, MQTT, QR codes.
prepare_libraries() {
  local missing=() cache
  cache=$(/sbin/ldconfig -p)
  grep -q 'libi2c\.so\.0' <<< "$cache" || missing+=(libi2c0)
  grep -q 'libsqlite3\.so\.0' <<< "$cache" || missing+=(libsqlite3-0)
  grep -qE 'libcurl(-gnutls)?\.so\.4' <<< "$cache" || missing+=(libcurl4)
  grep -q 'libdbus-1\.so\.3' <<< "$cache" || missing+=(libdbus-1-3)
  grep -q 'libmosquitto\.so\.1' <<< "$cache" || missing+=(libmosquitto1)
  grep -q 'libqrencode\.so\.4' <<< "$cache" || missing+=(libqrencode4)
  if ! grep -qE 'libgpiod\.so\.[23]' <<< "$cache"; then
    has_lists || update_lists
    apt-cache show libgpiod3 >/dev/null 2>&1 && missing+=(libgpiod3) || missing+=(libgpiod2)
  fi
  [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
}

# static_library: the folder of the static library of the Swift that is used.
static_library() { echo "$(dirname "$(dirname "$(realpath "$(command -v swift)")")")/lib/swift_static/linux"; }
