# Sourced: what makes Swift's compiler write the same bytes twice. Its pass `loop-unroll` goes through a table in the order of addresses
# (the values that a loop leaves), which decides on the order of some instructions. LLVM unrolls loops too: without the pass the program is
# as fast and as large. `same_bytes` are options of `swift build`, `same_addresses` is a command before it, for tables that are not known.
same_bytes=(-Xswiftc -Xllvm -Xswiftc -sil-disable-pass=loop-unroll)
same_addresses=(setarch "$(uname -m)" -R)
"${same_addresses[@]}" true 2> /dev/null || {
  echo 'the addresses of programs cannot be fixed here (setarch -R): two builds may differ in some instructions' >&2
  same_addresses=()
}

# clean_unless_same COMMIT STAMP FOLDER...: removes the FOLDERs, builds of an earlier run, unless that was of the same sources, scripts,
# dependencies (the file in $resolved) and compiler. Swift's build system keeps objects where only options are new, and where a type of a module that is imported indirectly has
# another size: such a program differs from a clean build, or crashes.
clean_unless_same() {
  local commit=$1 stamp=$2 inputs
  shift 2
  inputs=$({ git ls-tree "$commit" -- Sources Package.swift PortCheck Packaging Scripts; cat "${resolved:-/dev/null}"; swift --version 2>&1 || true; } | sha256sum)
  [ "$(cat "$stamp" 2> /dev/null)" = "$inputs" ] && return
  rm -rf -- "$@"
  echo "$inputs" > "$stamp"
}
