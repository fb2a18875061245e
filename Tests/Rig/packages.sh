# Sourced by the scripts beside it: Debian 13's packages for the emulated boards, by the package source of the rig, and device trees.

# download_packages ARCHITECTURE FOLDER PACKAGE...: downloads the named packages, without what they depend on, into FOLDER.
download_packages() {
  local rig=${RIG:-${XDG_CACHE_HOME:-$HOME/.cache}/lodestar-rig} architecture=$1 folder=$2 state options
  shift 2
  state=$(mktemp -d "$folder/.apt.XXXXXX")
  mkdir -p "$state"/{lists,archives}/partial && : > "$state/status"
  options=(-qq -o "Dir::Etc::SourceList=$rig/apt/trixie.list" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State=$state"
    -o "Dir::State::Lists=$state/lists" -o "Dir::State::status=$state/status" -o "Dir::Cache=$state"
    -o "Dir::Cache::archives=$state/archives" -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture"
    -o APT::Sandbox::User=root)
  local status=0
  apt-get "${options[@]}" update && (cd "$folder" && apt-get "${options[@]}" download "$@") || status=1
  rm -rf "$state"
  return $status
}

# kernel_version ARCHITECTURE: the version of the boards' kernel, as its packages have it.
kernel_version() {
  local rig=${RIG:-${XDG_CACHE_HOME:-$HOME/.cache}/lodestar-rig}
  strings "$rig/boards/$1/vmlinuz" | sed -n "s/^\(Linux version \)\?\([0-9][^ ]*-$1\) .*#.*/\2/p" | sort -u | head -1
}

# kernel_modules ARCHITECTURE NAME...: modules of the boards' kernel that the rig leaves out, NAME.ko in the folder that is printed;
# downloaded once.
kernel_modules() {
  local rig=${RIG:-${XDG_CACHE_HOME:-$HOME/.cache}/lodestar-rig} architecture=$1 name version folder missing=()
  shift
  folder=$rig/modules-$architecture
  mkdir -p "$folder"
  for name in "$@"; do [ -e "$folder/$name.ko" ] || missing+=("$name"); done
  if [ ${#missing[@]} -gt 0 ]; then
    version=$(kernel_version "$architecture")
    download_packages "$architecture" "$folder" "linux-image-$version" >&2 || return 1
    for name in "${missing[@]}"; do
      dpkg-deb --fsys-tarfile "$folder"/linux-image-*.deb | tar -x -O --wildcards "*/$name.ko.xz" |
        xz -dc > "$folder/$name.part" || return 1
      mv "$folder/$name.part" "$folder/$name.ko"
    done
    rm "$folder"/linux-image-*.deb
  fi
  echo "$folder"
}

# built_modules DRIVERS NAME...: modules of the amd64 boards' kernel that Debian does not build, of one file each in a folder of its
# drivers; NAME.ko in the folder that is printed. Built once, by Debian's compiler, in the rig's tree, from 190 MB of packages.
built_modules() {
  local rig=${RIG:-${XDG_CACHE_HOME:-$HOME/.cache}/lodestar-rig} drivers=$1 name version folder build inside missing=() status=0
  shift
  folder=$rig/modules-amd64
  mkdir -p "$folder"
  for name in "$@"; do [ -e "$folder/$name.ko" ] || missing+=("$name"); done
  if [ ${#missing[@]} -gt 0 ]; then
    version=$(kernel_version amd64)
    build=$(mktemp -d "$rig/tools/tmp/build.XXXXXX")
    inside=${build#"$rig/tools"}
    build_modules >&2 || status=1
    rm -r "$build"
  fi
  echo "$folder"
  return $status
}

# Of built_modules, with its variables.
build_modules() {
  local headers=usr/src/linux-headers-$version package
  download_packages amd64 "$build" "linux-source-${version%.*}" "linux-headers-$version" "linux-headers-${version%-*}-common" \
    "linux-kbuild-${version%-*}" make mawk cpp-14-x86-64-linux-gnu libisl23 libmpc3 libmpfr6 libgmp10 || return 1
  dpkg-deb --fsys-tarfile "$build"/linux-source-*.deb | tar -x -O --wildcards '*.tar.xz' |
    tar -x -J -C "$build" --strip-components=1 --wildcards "*/drivers/$drivers/*" || return 1
  rm "$build"/linux-source-*.deb
  for package in "$build"/*.deb; do dpkg-deb -x "$package" "$build" || return 1; done
  ln -s mawk "$build/usr/bin/awk"
  # Debug information of types needs a program that is not there.
  rm "$build/$headers/vmlinux"
  sed -i "s|/usr/src|$inside/usr/src|" "$build/$headers/Makefile"
  echo "obj-m := ${missing[*]/%/.o}" > "$build/drivers/$drivers/Makefile"
  chroot "$rig/tools" /usr/bin/env PATH="$inside/usr/bin:/usr/bin:/bin" LD_LIBRARY_PATH="$inside/usr/lib/x86_64-linux-gnu" \
    COMPILER_PATH="$inside/usr/libexec/gcc/x86_64-linux-gnu/14" \
    make -s -C "$inside/$headers" M="$inside/drivers/$drivers" modules || return 1
  for name in "${missing[@]}"; do mv "$build/drivers/$drivers/$name.ko" "$folder" || return 1; done
}

# device_tree BOARD NODES OUT: a board's device tree of the rig with further nodes.
device_tree() {
  local rig=${RIG:-${XDG_CACHE_HOME:-$HOME/.cache}/lodestar-rig} folder inside status
  folder=$(mktemp -d "$rig/tools/tmp/tree.XXXXXX")
  inside=${folder#"$rig/tools"}
  cp "$rig/boards/$1.dtb" "$folder/in.dtb"
  { chroot "$rig/tools" dtc -q -I dtb -O dts "$inside/in.dtb" && echo "$2"; } > "$folder/in.dts" &&
    chroot "$rig/tools" dtc -q -I dts -O dtb "$inside/in.dts" > "$3"
  status=$?
  rm -r "$folder"
  return $status
}
