# The unpacked archive, in a minimal Debian, and with its service under systemd.
. "$(dirname "$0")/common.sh"
. /etc/os-release
archive=/archive daemon=()
[ ! -d /rig/archive ] || archive=/rig/archive
[ ! -d /run/systemd/system ] || daemon=(--daemon)
echo "$PRETTY_NAME, $(dpkg -l | grep -c ^ii) packages"
touch /mark
shown $archive/install.sh "${daemon[@]}"
shown lodestar --version
check 'the board files are found' sh -c 'lodestar heading --simulate --board gy-91 --count 1 > /dev/null'
check 'the manual is installed' test -s /usr/local/share/man/man1/lodestar.1
if [ ${#daemon[@]} -gt 0 ]; then
  check 'the service runs' systemctl is-active lodestar
  check 'it is the unit of the archive' test /etc/systemd/system/lodestar.service = "$(systemctl show -P FragmentPath lodestar)"
  check 'setup brings it to a heading' lodestar setup --yes --simulate
  useradd --create-home --groups lodestar sailor
  check 'a member of its group gets it' within 30 heading
fi
shown lodestar heading --simulate --count 1 --format json
[ ${#daemon[@]} = 0 ] || check 'the program alone is not removed from its service' not $archive/install.sh --uninstall
shown $archive/install.sh --uninstall "${daemon[@]}"
check 'the program is gone' test ! -e /usr/local/bin/lodestar
[ ${#daemon[@]} = 0 ] || check 'the service has ended' not systemctl is-active lodestar
check 'no file is left, except state and configuration' sh -c '! find / -xdev -newer /mark -iname "*lodestar*" ! -path "/proc/*" ! -path "/tmp/*" \
  ! -path "/run/*" ! -path "/rig*" ! -path "/archive*" ! -path "/etc/lodestar*" ! -path "/var/lib/lodestar*" ! -path "/home/*" ! -path "/dev/*" | grep .'
echo done
