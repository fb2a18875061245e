# Sourced: what makes Swift's compiler write the same bytes twice. Its pass `loop-unroll` goes through a table in the order of addresses
# (the values that a loop leaves), which decides on the order of some instructions. LLVM unrolls loops too: without the pass the program is
# as fast and as large. `same_bytes` are options of `swift build`, `same_addresses` is a command before it, for tables that are not known.
same_bytes=(-Xswiftc -Xllvm -Xswiftc -sil-disable-pass=loop-unroll)
same_addresses=(setarch "$(uname -m)" -R)
"${same_addresses[@]}" true 2> /dev/null || {
  echo 'the addresses of programs cannot be fixed here (setarch -R): two builds may differ in some instructions' >&2
  same_addresses=()
}
