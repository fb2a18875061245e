# Under the systemd of the Debian, without network: the folder is /rig.
. /rig/common.sh
export DEBIAN_FRONTEND=noninteractive
ln -sfn /rig/repository /repository
[ ! -d /rig/repository-old ] || ln -sfn /rig/repository-old /repository-old
rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*
property() { systemctl show -P "$1" lodestar; }
. /etc/os-release
echo "$PRETTY_NAME, $(systemctl --version | head -1)"
[ -d /repository-old ] && use /rig/repository-old || use /rig/repository
clean apt-get -q update
clean apt-get -q install -y --no-install-recommends lodestar
first=$(version)
check 'the service runs after the installation' systemctl is-active lodestar
check 'it is enabled' systemctl is-enabled lodestar
check 'as its own user' sh -c '[ "$(stat -c %U "/proc/$(systemctl show -P MainPID lodestar)")" = lodestar ]'
check 'with the groups of the devices' has_groups
echo "     $(property StatusText)"
shown systemd-analyze security --no-pager --threshold=20 lodestar | tail -1
. /rig/devices.sh
# This machine has no board: the simulated one.
shown lodestar setup --yes --simulate
useradd --create-home --groups lodestar sailor
check 'a member of its group gets a heading' within 30 heading
shown heading
check "gpsd's port answers" within 10 bash -c 'exec 3<> /dev/tcp/127.0.0.1/2947 && read -r line <&3 && [[ $line = *VERSION* ]]'
check 'the web page answers' within 10 bash -c 'exec 3<> /dev/tcp/127.0.0.1/8090 && printf "GET / HTTP/1.0\r\nHost: localhost\r\n\r\n" >&3 && read -r line <&3 && [[ $line = *200* ]]'
check 'it has written its state' sh -c '[ -n "$(find /var/lib/lodestar -type f)" ]'
check 'the questions of setup open the web page to the network' open_network
check 'the unit has no limit of addresses' sh -c '[ -z "$(systemctl show -P IPAddressDeny lodestar)" ]'
kept() { [ -n "$(find /var/lib/lodestar -type f)" ] && grep -q '^simulate: true' /etc/lodestar/serve.yaml; }
if [ -d /repository-old ]; then
  use /rig/repository
  clean apt-get -q update
  check 'its restarts are none' sh -c '[ "$(systemctl show -P NRestarts lodestar)" = 0 ]'
  pid=$(property MainPID)
  clean apt-get -q install -y --only-upgrade lodestar
  check "it is newer than $first" is_newer "$first"
  check 'the new daemon runs' sh -c "systemctl is-active lodestar && [ \$(systemctl show -P MainPID lodestar) != $pid ]"
  check 'state and configuration are kept' kept
  check 'it has a heading' within 30 heading
  running() { within 30 heading || { systemctl status --no-pager --full --lines 30 lodestar; return 1; }; }
  start_daemon() { check 'the service runs' running; }
  # The package restarts it.
  stop_daemon() { :; }
  downgrade_and_upgrade "$first"
fi
check 'its restarts are none' sh -c '[ "$(systemctl show -P NRestarts lodestar)" = 0 ]'
systemctl disable --quiet lodestar
clean apt-get -q install -y --reinstall lodestar
check 'what the administrator has disabled stays so' not systemctl is-enabled lodestar
clean apt-get -q remove -y lodestar
check 'the service has ended' not systemctl is-active lodestar
check 'state and configuration are kept' kept
clean apt-get -q purge -y lodestar
check 'the state is gone' sh -c 'test ! -e /var/lib/lodestar && test ! -e /etc/lodestar'
check 'what setup has written for the unit is gone' test ! -e "$(dirname $dropin)"
echo done
