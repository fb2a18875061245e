#!/usr/bin/env bash
# Installs lodestar from the unpacked archive; Packaging/build-tarball puts this file there.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: ./install.sh [--daemon] [PREFIX]
       ./install.sh --uninstall [--daemon] [PREFIX]

Installs the program and its files below PREFIX (default /usr/local); as root, or by sudo where the folder is not writable.
  --daemon     also the service: user, groups, unit, groups of devices, /etc/lodestar/serve.yaml; starts it (systemd)
  --uninstall  removes the files again; with --daemon ends the service too. /etc/lodestar and /var/lib/lodestar stay

The program needs glibc (2.36 or later) and nothing else. These are used where they are installed: libgpiod, libi2c (GPIO
lines, SMBus), libdbus (announcements, the desktop's compass), libqrencode (QR codes), libmosquitto (MQTT), libcurl (Wi-Fi location, corrections with TLS).
TEXT
}

daemon=no uninstall=no prefix=/usr/local prefixes=()
while [ $# -gt 0 ]; do
  case $1 in
    --daemon) daemon=yes ;;
    --uninstall) uninstall=yes ;;
    --help | -h) usage; exit 0 ;;
    -*) echo "install.sh: unknown option $1; see ./install.sh --help" >&2; exit 64 ;;
    *) prefixes+=("$1") prefix=$(realpath -m "$1") ;;
  esac
  shift
done
[ ${#prefixes[@]} -le 1 ] || { echo "install.sh: more than one PREFIX: ${prefixes[*]}" >&2; exit 64; }
here=$(cd "$(dirname "$0")" && pwd)
as_owner() {
  if [ $daemon = no ] && mkdir -p "$prefix" 2> /dev/null && [ -w "$prefix" ] || [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}
"$here/lodestar" --version > /dev/null || {
  echo "install.sh: the program does not run here: this archive is for another architecture, or glibc is older than it needs" >&2
  exit 1
}
service=()
[ $daemon = no ] || service=(--service)
unit=/etc/systemd/system/lodestar.service
if [ $uninstall = yes ]; then
  if [ $daemon = no ] && grep -qs "^ExecStart=$prefix/bin/lodestar " $unit; then
    echo "install.sh: the service ($unit) runs this program: remove both by ./install.sh --uninstall --daemon" >&2
    exit 1
  fi
  # The unit of an installed package stays as it is.
  if [ $daemon = yes ] && [ -e $unit ]; then as_owner systemctl disable lodestar.service || true; fi
  if [ $daemon = yes ] && [ -d /run/systemd/system ] && [ -e $unit ]; then as_owner systemctl stop lodestar.service || true; fi
  as_owner "$here/Packaging/install-files" --remove --prefix "$prefix" --texts "$here/texts" "${service[@]}"
  if [ $daemon = yes ]; then
    as_owner systemctl daemon-reload || true
    dropin=/etc/systemd/system/lodestar.service.d/network.conf
    [ ! -e $dropin ] || echo "install.sh: $dropin stays: a later installation may be reached from the network; to remove it: sudo rm $dropin" >&2
  fi
elif [ $daemon = yes ]; then
  as_owner "$here/Packaging/systemd/install-unit" --prefix "$prefix" --texts "$here/texts" "$here/lodestar"
  echo "install.sh: members of the group 'lodestar' may connect: sudo usermod -aG lodestar \$USER, then log in again" >&2
else
  as_owner "$here/Packaging/install-files" --prefix "$prefix" --texts "$here/texts" "$here/lodestar"
fi
[ $uninstall = no ] || echo "install.sh: removed $prefix/bin/lodestar and its files; /etc/lodestar and /var/lib/lodestar stay" >&2
[ $uninstall = yes ] || echo "install.sh: installed $("$prefix/bin/lodestar" --version) as $prefix/bin/lodestar" >&2
