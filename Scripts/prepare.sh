# Sourced by run and test: finds a Swift of 6.0 or later and installs what is missing.
# Sets nothing but PATH; prints to standard error.

need_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else
    echo "lodestar: '$*' needs root and there is no sudo; run it yourself and start again" >&2
    return 1
  fi
}

install_packages() {
  command -v apt-get >/dev/null || {
    echo "lodestar: this is no Debian: install $* with this system's own tool" >&2
    return 1
  }
  echo "lodestar: installing $*" >&2
  need_root apt-get install -y --no-install-recommends "$@" >&2 || {
    # A fresh machine knows no package lists yet.
    need_root apt-get update >&2
    need_root apt-get install -y --no-install-recommends "$@" >&2
  }
}

swift_is_new_enough() {
  command -v swift >/dev/null || return 1
  local version
  version=$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+)\..*/\1/p' | head -1)
  [ "${version:-0}" -ge 6 ]
}

prepare_swift() {
  # Swift's own installer and Debian's package put it here without touching the PATH of a plain shell.
  for place in /usr/libexec/swift/bin /opt/swift/usr/bin "$HOME/.local/share/swiftly/bin"; do
    swift_is_new_enough && return
    [ -x "$place/swift" ] && PATH=$place:$PATH
  done
  swift_is_new_enough && return
  # A fresh machine knows no package lists yet.
  apt-cache show swiftlang >/dev/null 2>&1 || need_root apt-get update >&2 || true
  if apt-cache show swiftlang 2>/dev/null | grep -qE '^Version: [6-9]'; then
    install_packages swiftlang
    [ -x /usr/libexec/swift/bin/swift ] && PATH=/usr/libexec/swift/bin:$PATH
  fi
  swift_is_new_enough && return
  cat >&2 <<'MESSAGE'
lodestar: no Swift 6.0 or later here. Debian 13 and Raspberry Pi OS "trixie" package it
  (apt install swiftlang); elsewhere see https://www.swift.org/install/linux/, then start again.
MESSAGE
  return 1
}

prepare_tools() {
  local missing=()
  command -v git >/dev/null || missing+=(git)
  command -v cc >/dev/null || command -v clang >/dev/null || missing+=(gcc libc6-dev)
  [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
}

# Loaded when they are needed: SMBus-only adapters, GPIO lines (version 1 or 2), the gazetteer, BlueZ's bus.
prepare_libraries() {
  local missing=() cache
  cache=$(/sbin/ldconfig -p)
  grep -q 'libi2c\.so\.0' <<< "$cache" || missing+=(libi2c0)
  grep -q 'libsqlite3\.so\.0' <<< "$cache" || missing+=(libsqlite3-0)
  grep -qE 'libcurl(-gnutls)?\.so\.4' <<< "$cache" || missing+=(libcurl4)
  grep -q 'libdbus-1\.so\.3' <<< "$cache" || missing+=(libdbus-1-3)
  if ! grep -qE 'libgpiod\.so\.[23]' <<< "$cache"; then
    apt-cache show libgpiod3 >/dev/null 2>&1 && missing+=(libgpiod3) || missing+=(libgpiod2)
  fi
  [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
}
