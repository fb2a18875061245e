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

# kernel_modules ARCHITECTURE NAME...: modules of the boards' kernel that the rig leaves out, NAME.ko in the folder that is printed;
# downloaded once.
kernel_modules() {
  local rig=${RIG:-${XDG_CACHE_HOME:-$HOME/.cache}/lodestar-rig} architecture=$1 name version folder missing=()
  shift
  folder=$rig/modules-$architecture
  mkdir -p "$folder"
  for name in "$@"; do [ -e "$folder/$name.ko" ] || missing+=("$name"); done
  if [ ${#missing[@]} -gt 0 ]; then
    version=$(strings "$rig/boards/$architecture/vmlinuz" |
      sed -n "s/^\(Linux version \)\?\([0-9][^ ]*-$architecture\) .*#.*/\2/p" | sort -u)
    download_packages "$architecture" "$folder" "linux-image-${version%%$'\n'*}" >&2 || return 1
    for name in "${missing[@]}"; do
      dpkg-deb --fsys-tarfile "$folder"/linux-image-*.deb | tar -x -O --wildcards "*/$name.ko.xz" |
        xz -dc > "$folder/$name.part" || return 1
      mv "$folder/$name.part" "$folder/$name.ko"
    done
    rm "$folder"/linux-image-*.deb
  fi
  echo "$folder"
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
