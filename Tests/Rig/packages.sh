# Sourced by the scripts beside it: Debian 13's packages for the emulated boards, by the package source of the rig.

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
  apt-get "${options[@]}" update && (cd "$folder" && apt-get "${options[@]}" download "$@")
  rm -rf "$state"
}
