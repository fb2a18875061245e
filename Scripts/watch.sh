# Sourced by Scripts/test, Scripts/test-debian13, Scripts/nightly, Scripts/release and .ci/run: ends a program that prints nothing for long.

# watched SECONDS COMMAND...: runs the command and passes on what it prints. Where it prints nothing for so long, its processes are
# printed with their threads and files, and killed: status 1. Skipped tests, which Swift Testing marks like failures, are
# marked as skipped and counted at the end, where the failures are printed again: the tests run side by side, and a failure in the
# middle is thousands of lines away. Tests that began and did not end, in a run that was killed or crashed, are named last.
watched() {
  local limit=$1 line runner status skipped=0 failures=()
  local -A running=()
  shift
  exec 3< <(status=0; "$@" 2>&1 || status=$?; printf '\nwatched: status %s\n' "$status")
  runner=$!
  local form='^(✘|➜) ((Test|Suite) .* skipped(: ".*"|\.))$' end
  # A mark is several bytes, and in the C locale several characters.
  local begin='^◇ Test (.*) started\.$' finish='^[^ ]+ Test (.*) (passed|failed) after '
  while end=0; IFS= read -r -t "$limit" -u 3 line || { end=$?; false; }; do
    case $line in 'watched: status '*) status=${line##* }; break ;; esac
    if [[ $line =~ $form ]]; then
      skipped=$((skipped + 1)) line="- ${BASH_REMATCH[2]}"
    elif [[ $line = '✘'* ]]; then
      failures+=("$line")
    fi
    if [[ $line =~ $begin ]]; then
      # Not the run, and not the cases of a test, whose ends are not printed.
      case ${BASH_REMATCH[1]} in run | 'case '*) ;; *) count_test 1 ;; esac
    elif [[ $line =~ $finish && -n ${running[${BASH_REMATCH[1]}]-} ]]; then
      count_test -1
    fi
    printf '%s\n' "$line"
  done
  exec 3<&-
  if [ -z "${status-}" ]; then
    # A status above 128 is a timeout of read, another one the end of the output.
    if [ "$end" -gt 128 ]; then echo "lodestar: nothing was printed for $limit s: the run is ended; its processes:" >&2; else
      echo "lodestar: the run was killed" >&2
    fi
    end_processes "$runner"
    name_running >&2
    return 1
  fi
  name_running >&2
  [ "$skipped" = 0 ] || echo "lodestar: $skipped tests and suites were skipped ('-' above: what they need is not on this machine)" >&2
  [ ${#failures[@]} = 0 ] || printf '%s\n' 'lodestar: what failed:' "${failures[@]}" >&2
  return "$status"
}

# For `watched`: counts the beginnings of the test that was matched, less its ends. Several tests may have one name.
count_test() {
  local count=$((${running[${BASH_REMATCH[1]}]-0} + $1))
  if [ $count = 0 ]; then unset 'running[${BASH_REMATCH[1]}]'; else running[${BASH_REMATCH[1]}]=$count; fi
}
# For `watched`.
name_running() { [ ${#running[@]} = 0 ] || printf 'lodestar: did not end: %s\n' "${!running[@]}"; }

# end_processes PID: prints and kills a process and all that it has started.
end_processes() {
  local all=() pid thread
  while read -r pid; do all+=("$pid"); done < <(descendants "$1")
  for pid in "${all[@]}"; do
    [ -d "/proc/$pid" ] || continue
    printf 'process %s: %s\n' "$pid" "$(tr '\0' ' ' < "/proc/$pid/cmdline")"
    for thread in "/proc/$pid/task"/*; do
      printf '  thread %s %s: waits in %s, system call %s\n' "${thread##*/}" "$(cat "$thread/comm" || true)" \
        "$(cat "$thread/wchan" || true)" "$(cat "$thread/syscall" || true)"
    done
    find "/proc/$pid/fd" -type l -printf '  file %f: %l\n' || true
    ! command -v gdb > /dev/null || timeout 60 gdb -p "$pid" -batch -ex 'thread apply all bt 12' 2> /dev/null || true
  done >&2 2> /dev/null
  for pid in "${all[@]}"; do kill -KILL "$pid" 2> /dev/null || true; done
}

# end_children: ends all that this script has started, for a trap. Swift's compilers are process groups of their own, which neither a
# signal to this script's group reaches nor the end of `swift build`.
end_children() {
  local all
  # Listed before one is ended: the list's own processes are children too, and end by themselves.
  all=$(descendants $$ | grep -vx $$) || true
  echo "$all" | xargs -r kill 2> /dev/null || true
}

# descendants PID: it and all below it, a number a line. The parent is the second field behind the name, which may have spaces.
descendants() {
  cat /proc/[0-9]*/stat 2> /dev/null | sed 's/(.*)//' | awk -v root="$1" '
    { parent[$1] = $3 }
    END {
      for (pid in parent) {
        for (up = pid; up > 1 && up != root; up = parent[up]);
        if (up == root) print pid
      }
    }'
}
