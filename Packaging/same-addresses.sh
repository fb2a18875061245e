# Sourced: sets `same_addresses`, a command before a compiler's. Swift's compiler of 6.0 goes through some sets in the order of their
# addresses, which decides on instructions: with the same addresses in every run it writes the same bytes.
same_addresses=(setarch "$(uname -m)" -R)
"${same_addresses[@]}" true 2> /dev/null || {
  echo 'the addresses of programs cannot be fixed here (setarch -R): two builds may differ in some instructions' >&2
  same_addresses=()
}
