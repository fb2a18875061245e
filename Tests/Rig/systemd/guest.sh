# Runs as root under systemd: see run.
check() { # check WORDS COMMAND...: PASS where the command succeeds
  if "${@:2}" > /tmp/said 2>&1; then echo "PASS $1"; else echo "FAIL $1"; cat /tmp/said; systemctl status --no-pager -l lodestar; fi
}
within() { # within SECONDS COMMAND...: waits until the command succeeds
  local end=$((SECONDS + $1))
  until "${@:2}"; do [ "$SECONDS" -lt "$end" ] || return 1; sleep 0.2; done
}
property() { systemctl show -P "$1" "${2:-lodestar}"; }
is() { [ "$(property "$1" "${3:-lodestar}")" = "$2" ]; }
is_another() { local pid; pid=$(property MainPID) && [ "$pid" != 0 ] && [ "$pid" != "$1" ] && is SubState running; }

# Debian has no group gpio, spi and, without i2c-tools, i2c: the installation has to make them.
for group in gpio spi i2c; do ! getent group $group > /dev/null || groupdel $group; done
mkdir -p /etc/polkit-1/rules.d
check 'the unit is installed' bash /rig/Packaging/systemd/install-unit --no-start --prefix /usr /rig/lodestar
check 'the daemon has the groups of the devices' sh -c 'for g in i2c spi gpio dialout; do id -nG lodestar | grep -qw $g || exit 1; done'
check 'it has its folders' sh -c '[ "$(stat -c %U:%G:%a /var/lib/lodestar)" = lodestar:lodestar:700 ] && [ -s /etc/lodestar/serve.yaml ]'
useradd --create-home --groups lodestar sailor
install -Dm755 /rig/RegionExercise /usr/lib/org.example.rig/org.example.rig
# The application registers outside of its unit: its user has to be bound to its name.
mkdir -p /etc/corelocation/policy.d
printf 'applications: {org.example.rig: {users: [sailor]}}\n' > /etc/corelocation/policy.d/application.yaml
printf 'replay: /rig/trip.csv\npace: 30\nlaunch-grace: 0\n' >> /etc/lodestar/serve.yaml
sed 's/^User=pi$/User=sailor/' '/usr/share/doc/lodestar/examples/corelocation-app@.service' > /etc/systemd/system/corelocation-app@.service
printf '[Service]\nStandardOutput=append:/rig/application\nStandardError=append:/rig/application\n' \
  | install -Dm644 /dev/stdin /etc/systemd/system/corelocation-app@.service.d/output.conf
systemctl daemon-reload

exposure() { systemd-analyze security --offline=true --threshold="$1" /usr/lib/systemd/system/lodestar.service; }
# 0.2 of it are the sockets of CAN, for NMEA 2000.
check 'the unit has an exposure of at most 1.9' exposure 19
check 'the daemon is ready under its unit' timeout 20 systemctl start lodestar
check 'it is its own user' sh -c '[ "$(ps -o user= -p "$(systemctl show -P MainPID lodestar)")" = lodestar ]'
check 'its status says what it does' within 10 sh -c 'systemctl show -P StatusText lodestar | grep -q recording'
echo "     $(property StatusText)"
. /rig/devices.sh
register() {
  systemd-run --quiet --wait --pipe --uid=sailor -p SupplementaryGroups=lodestar \
    -E CL_APPLICATION_ID=org.example.rig /usr/lib/org.example.rig/org.example.rig
}
check 'an application registers a region and ends' register
check 'a member of the group gets the location' \
  systemd-run --quiet --wait --pipe --uid=sailor -p SupplementaryGroups=lodestar lodestar location --count 1
check 'another user gets an error with the remedy' sh -c \
  'systemd-run --quiet --wait --pipe --uid=nobody lodestar location --daemon --count 1 2>&1 | tee /dev/stderr | grep -q "usermod -aG lodestar"'
check 'the application is started when the region is left' within 120 grep -qs '^launched: exit home' /rig/application
check 'its region is still registered' grep -q '^launched: knows \["home"\]' /rig/application
check 'its unit has succeeded' within 10 sh -c \
  '[ "$(systemctl show -P Result corelocation-app@org.example.rig)" = success ] && ! systemctl -q is-active corelocation-app@org.example.rig'
check 'it received the event once' sh -c '[ "$(grep -c "exit home" /rig/application)" = 1 ]'
pid=$(property MainPID)
sailor() { systemd-run --quiet --wait --pipe --uid=sailor -p SupplementaryGroups=lodestar "$@"; }
refused() { ! sailor lodestar location --daemon --count 1; }
mkdir -p /etc/corelocation/policy.d
printf 'applications: {lodestar: {authorization: denied}}\n' > /etc/corelocation/policy.d/rig.yaml
check 'a reload succeeds' sh -c 'systemctl reload lodestar && systemctl -q is-active lodestar'
check 'the new policy applies after the reload' within 5 refused
rm /etc/corelocation/policy.d/rig.yaml
check 'a second reload succeeds' sh -c 'systemctl reload lodestar'
check 'the program has access again' within 5 sailor lodestar location --daemon --count 1
check 'the process has not changed' is MainPID "$pid"
check 'the daemon is killed' sh -c "kill -9 $pid"
check 'systemd starts a new process' within 15 is_another "$pid"
install -Dm644 /usr/share/lodestar/network.conf /etc/systemd/system/lodestar.service.d/network.conf
check 'with the network it has an exposure of at most 2.1' exposure 21
printf '[Service]\nWatchdogSec=3\n' > /etc/systemd/system/lodestar.service.d/watchdog.conf
systemctl daemon-reload
check 'it starts with the network and a short watchdog' systemctl restart lodestar
sleep 8
check 'the daemon resets the watchdog' is NRestarts 0
pid=$(property MainPID)
kill -STOP "$pid"
check 'a stopped process is replaced' within 20 is_another "$pid"
check 'systemctl stop ends it' timeout 15 systemctl stop lodestar
check 'its result is success' is Result success
check 'its socket is removed' sh -c '[ ! -e /run/lodestar/lodestar.sock ]'
check 'no other user can read the state' sh -c '[ "$(stat -c %U:%a /var/lib/lodestar)" = lodestar:700 ]'
echo done
