# Sourced in the systems of test-deb.
check() { # check WORDS COMMAND...: PASS where the command succeeds
  if "${@:2}" > /tmp/said 2>&1; then echo "PASS $1"; else echo "FAIL $1"; sed 's/^/     /' /tmp/said; fi
}
within() { # within SECONDS COMMAND...: waits until the command succeeds
  local end=$((SECONDS + $1))
  until "${@:2}"; do [ "$SECONDS" -lt "$end" ] || return 1; sleep 0.2; done
}
not() { ! "$@"; }
# prints TEXT COMMAND...: the command succeeds and prints this.
prints() { local said; said=$("${@:2}") || return 1; echo "$said"; [ "$said" = "$1" ]; }
# shown COMMAND...: the command and what it says, in the transcript.
shown() { echo "\$ $*"; "$@" 2>&1 || echo "FAIL status $?"; }
# clean COMMAND...: the same for apt: the lines about our packages, and every line that a user would take for a fault.
clean() {
  local faults
  echo "\$ $*"
  "$@" > /tmp/transcript 2>&1 || echo "FAIL status $?"
  grep -E '(lodestar|corelocation)' /tmp/transcript | grep -vE '^(Get|Hit|Ign):' || true
  # What debconf says in a system without apt-utils and terminal, names of packages, and a downgrade that was asked for are no faults.
  faults=$(sed -E 's/lib[a-z0-9-]*error[a-z0-9-]*//g' /tmp/transcript | grep -vE '^debconf:|apt-utils|^dpkg: warning: downgrading lodestar' |
    grep -E '[Ww]arn|[Ee]rror|[Ff]ail|[Cc]annot|[Nn]o such|not found|^[WEN]:' || true)
  [ -z "$faults" ] || printf 'FAIL this transcript is not clean:\n%s\n' "$faults"
}
version() { dpkg-query -W -f '${Version}' "${1:-lodestar}"; }
is_newer() { dpkg --compare-versions "$(version)" gt "$1"; }
has_groups() { local g; for g in i2c spi gpio dialout; do id -nG lodestar | grep -qw $g || return 1; done; }
has_folders() { [ "$(stat -c %U:%G:%a /var/lib/lodestar)" = lodestar:lodestar:700 ] && [ -s /etc/lodestar/serve.yaml ] && [ -d /etc/corelocation/policy.d ]; }
# use FOLDER: the repository that is bound at /repository, by the lines that build-repository has printed.
use() {
  bash -e /repository/lines > /dev/null
  sed -i "s|file:[^ ]*|file:$1|" /etc/apt/sources.list.d/lodestar.list
}
# open_network: `lodestar setup` with its questions answered in a terminal, so that other devices may read the web page.
dropin=/etc/systemd/system/lodestar.service.d/network.conf
open_network() {
  printf '%s\n' n n none none y 1 y y y | script -qec 'lodestar setup --step servers' /dev/null && [ -s $dropin ] &&
    grep -q '^http-address: 0.0.0.0' /etc/lodestar/serve.yaml
}
heading() { setpriv --reuid=sailor --regid=sailor --init-groups lodestar heading --count 1 --format json; }

# downgrade_and_upgrade OLDER: a calibration of the newer version is in use again after a time with the older one, which stores its
# own. The caller has start_daemon and stop_daemon, and the lists of both versions.
stored() { find /var/lib/lodestar/calibration-simulated -name '0*.json' -exec sha256sum {} +; }
is_stored() { [ -s /tmp/stored ] && sha256sum --check --quiet /tmp/stored; }
has_calibration() { local said; said=$(heading) && [[ $said = *'"calibration":"good"'* ]]; }
hard_iron() { lodestar calibrate export - | grep hardIron; }
has_hard_iron() { [[ $(hard_iron) = *"$1"* ]]; }
import() { # import X: a calibration with this hard iron along x
  printf '{"softIron": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "hardIron": [%s, 2, 3], "quality": "good", "predictedHeadingError_deg": 1}\n' "$1" \
    > /tmp/calibration.json
  lodestar calibrate import /tmp/calibration.json
}
downgrade_and_upgrade() {
  local newer place
  newer=$(version)
  check "$newer stores a calibration" import 11
  check 'and uses it' within 10 has_calibration
  # One of a later format, which neither version can read.
  place=$(find /var/lib/lodestar/calibration-simulated -name '0*.json')
  sed 's/"version": 1/"version": 2/' "$place" > "$(dirname "$place")/00000007.json"
  chown lodestar: "$(dirname "$place")/00000007.json"
  stored > /tmp/stored
  stop_daemon
  clean apt-get -q install -y --allow-downgrades "lodestar=$1"
  check "$1 is installed again" test "$(version)" = "$1"
  start_daemon
  check 'every calibration is still stored' is_stored
  check 'it uses the calibration that it can read' has_hard_iron 11
  check 'it stores one of its own' import 12
  check 'it has a heading' within 30 heading
  check 'every calibration is still stored' is_stored
  stop_daemon
  clean apt-get -q install -y --only-upgrade lodestar
  check "$newer is installed again" test "$(version)" = "$newer"
  start_daemon
  check 'every calibration is still stored' is_stored
  check 'the newest one is in use' has_hard_iron 12
  check 'and makes the heading' within 30 has_calibration
  shown lodestar calibrate history
}
