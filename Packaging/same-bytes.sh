# Sourced: what makes Swift's compiler write the same bytes in two builds that begin with an empty folder. It goes through some sets in the
# order of their addresses, which decides on the order of some instructions. So the addresses have to be the same (`same_addresses`, a
# command before the compiler's), and what comes before in the same process: with one job it is not chance which module compiles the C
# headers, and in an empty folder no objects are read.
one_job=(--jobs 1)
same_addresses=(setarch "$(uname -m)" -R)
"${same_addresses[@]}" true 2> /dev/null || {
  echo 'the addresses of programs cannot be fixed here (setarch -R): two builds may differ in some instructions' >&2
  same_addresses=()
}
