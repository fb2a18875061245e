# Sourced in the systems of test-deb.
check() { # check WORDS COMMAND...: PASS where the command succeeds
  if "${@:2}" > /tmp/said 2>&1; then echo "PASS $1"; else echo "FAIL $1"; sed 's/^/     /' /tmp/said; fi
}
within() { # within SECONDS COMMAND...: waits until the command succeeds
  local end=$((SECONDS + $1))
  until "${@:2}"; do [ "$SECONDS" -lt "$end" ] || return 1; sleep 0.2; done
}
not() { ! "$@"; }
# shown COMMAND...: the command and what it says, in the transcript.
shown() { echo "\$ $*"; "$@" 2>&1 || echo "FAIL status $?"; }
# clean COMMAND...: the same for apt: the lines about our packages, and every line that a user would take for a fault.
clean() {
  local faults
  echo "\$ $*"
  "$@" > /tmp/transcript 2>&1 || echo "FAIL status $?"
  grep -E '(lodestar|corelocation)' /tmp/transcript | grep -vE '^(Get|Hit|Ign):' || true
  # What debconf says in a system without apt-utils and terminal, and names of packages, are no faults.
  faults=$(sed -E 's/lib[a-z0-9-]*error[a-z0-9-]*//g' /tmp/transcript | grep -vE '^debconf:|apt-utils' |
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
has_setup() { lodestar --help | grep -q '^  setup '; }
heading() { setpriv --reuid=sailor --regid=sailor --init-groups lodestar heading --count 1 --format json; }
