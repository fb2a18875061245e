# In a minimal Debian without a running systemd, as a chroot, a container or an image that is being built.
. /tests/common.sh
. /etc/os-release
echo "$PRETTY_NAME, $(dpkg --print-architecture), $(dpkg -l | grep -c ^ii) packages"
[ -d /repository-old ] && use /repository-old || use /repository
clean apt-get -q update
clean apt-get -q install -y lodestar
first=$(version)
shown lodestar --version
check 'the daemon has its user and the groups of the devices' has_groups
check 'and its folders' has_folders
check 'nothing was started' not grep -qsx lodestar /proc/[0-9]*/comm
check 'the service is enabled' test -e /etc/systemd/system/multi-user.target.wants/lodestar.service
check 'the board files are found' sh -c 'lodestar heading --simulate --board gy-91 --count 1 > /dev/null'
shown lodestar setup --yes
check 'its questions open the web page to the network' open_network

useradd --create-home --groups lodestar sailor
# As the unit runs it.
start_daemon() {
  install -d -o lodestar -g lodestar /run/lodestar
  setpriv --reuid=lodestar --regid=lodestar --init-groups env STATE_DIRECTORY=/var/lib/lodestar RUNTIME_DIRECTORY=/run/lodestar \
    lodestar serve --config /etc/lodestar/serve.yaml --simulate --gpsd-port 0 --http-port 0 > /tmp/daemon 2>&1 &
  daemon=$!
  check 'the daemon listens' within 60 test -S /run/lodestar/lodestar.sock
}
stop_daemon() { kill $daemon && wait $daemon; }
start_daemon
check 'a member of its group gets a heading' within 30 heading
shown heading
check 'the daemon ends' stop_daemon
echo '# changed by the administrator' >> /etc/lodestar/serve.yaml
setpriv --reuid=lodestar --regid=lodestar --init-groups sh -c 'mkdir -p /var/lib/lodestar/calibration && echo kept > /var/lib/lodestar/calibration/mark'
kept() { [ "$(cat /var/lib/lodestar/calibration/mark)" = kept ] && grep -q administrator /etc/lodestar/serve.yaml; }

if [ -d /repository-old ]; then
  use /repository
  clean apt-get -q update
  clean apt-get -q install -y --only-upgrade lodestar
  check "it is newer than $first" is_newer "$first"
  check 'state and configuration are kept' kept
  start_daemon
  check 'the new daemon has a heading' within 30 heading
  downgrade_and_upgrade "$first"
  check 'it ends' stop_daemon
else
  echo 'SKIP upgrade and downgrade: no older packages'
fi
# The name alone is known, because the program's package suggests it.
if [ -n "$(apt-cache madison lodestar-port-check 2> /dev/null)" ]; then
  absent=0
  lodestar port-check /packages 2> /tmp/absent || absent=$?
  check 'without its package port-check ends with status 69 and says how to install it' \
    sh -c "[ $absent = 69 ] && grep -q 'sudo apt install lodestar-port-check' /tmp/absent"
  clean apt-get -q install -y lodestar-port-check
  shown lodestar port-check /packages/Swift6
  check 'its page is installed' test -s /usr/share/man/man1/lodestar-port-check.1.gz
  clean apt-get -q purge -y lodestar-port-check
else
  echo 'SKIP port-check: no package of it'
fi
clean apt-get -q remove -y lodestar
check 'the program is gone' test ! -e /usr/bin/lodestar
check 'state and configuration are kept' kept
check 'the service is no longer found' test ! -e /usr/lib/systemd/system/lodestar.service
clean apt-get -q install -y lodestar
check 'state and configuration are kept after another installation' kept
clean apt-get -q purge -y lodestar
check 'the state is gone' test ! -e /var/lib/lodestar
check 'the configuration is gone' sh -c 'test ! -e /etc/lodestar && test ! -e /etc/corelocation'
check 'what setup has written for the unit is gone' test ! -e "$(dirname $dropin)"
check 'no file of the package is left' sh -c '! find / -xdev -iname "*lodestar*" -not -path "/proc/*" -not -path "/repository*" \
  -not -path "/var/lib/apt/*" -not -path "/var/cache/*" -not -path "/var/log/*" -not -path "/tmp/*" -not -path "/run/*" \
  -not -path "/etc/apt/*" -not -path "/usr/share/keyrings/*" | grep .'
echo done
