# Sourced: compiles the Swift targets of the floors `ground` and `pure` (README.md, Floors) one by one, without the
# package manager. The caller's folder is the project's.

numerics=.build/checkouts/swift-numerics/Sources

# pure_modules: the targets, in order of import: from the lowest line of the table up.
pure_modules() {
  local name found=
  while read -r name; do
    [ -z "$(find "Sources/$name" -name '*.swift' -print -quit)" ] || { found=yes; echo "$name"; }
  done < <(awk '!fenced && /^## / { section = $2 } /^```/ { fenced = !fenced }
    section == "Floors" && fenced && ($1 == "ground" || $1 == "pure") { $1 = ""; print }' README.md | tac | tr -s ' ' '\n' | sed '/^$/d')
  [ -n "$found" ] || { echo "${0##*/}: README.md has no table of floors" >&2; return 1; }
}

# prepare_numerics: fetches swift-numerics, which the pure targets import.
prepare_numerics() { [ -d "$numerics" ] || swift package resolve >&2; }

# The compiler's options for Embedded Swift. For Arm without LLVM's pass for loads and stores (Swift 6.3.1): it lets a method
# add to register 10, where its caller keeps `self` over the call, as in `vldmia sl!` in the getter `EllipsoidState.shape`.
embedded_swift=(-enable-experimental-feature Embedded -Osize -Xfrontend -function-sections -Xllvm -arm-load-store-opt=false)

# compile_pure FOLDER MODULES [OPTION...]: compiles RealModule and the modules (one word, spaces between) into
# FOLDER/NAME.o and FOLDER/NAME.swiftmodule. The options name the target; without any it is this machine.
compile_pure() {
  local out=$1 names=$2 module
  shift 2
  mkdir -p "$out"
  compile_module "$out" RealModule "$numerics/RealModule" -suppress-warnings "$@" || return
  for module in $names; do
    compile_module "$out" "$module" "Sources/$module" -warnings-as-errors "$@" || return
  done
}

# compile_module FOLDER MODULE SOURCE-FOLDERS [OPTION...]: the source folders are one word.
compile_module() {
  local out=$1 module=$2 folder=$3 sources
  shift 3
  mapfile -t sources < <(find $folder -name '*.swift' | LC_ALL=C sort)
  # The compiler skips an object whose intermediate code is unchanged, also where an option of LLVM has changed.
  rm -f "$out/$module.o"
  swiftc -wmo -parse-as-library -swift-version 6 -I "$out" -Xcc "-fmodule-map-file=$numerics/_NumericsShims/include/module.modulemap" \
    -Xcc -I"$numerics/_NumericsShims/include" -module-name "$module" -package-name lodestar "$@" \
    -emit-module -emit-module-path "$out/$module.swiftmodule" -c "${sources[@]}" -o "$out/$module.o"
}
