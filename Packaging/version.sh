# Sourced: the versions of programs and packages.

# program_version COMMIT: what `lodestar --version` prints.
program_version() { git show "$1:Sources/Servers/Configuration/Version.swift" | sed -n 's/.*text = "\(.*\)"/\1/p'; }

# debian_version COMMIT: that of a tagged commit is VERSION-0lodestar1; any other comes before it: 1.1.0~dev.202611231030.0123abcd-0lodestar1.
# With the revision 0 a package of Debian itself would be newer.
debian_version() {
  local version
  version=$(program_version "$1")
  if git tag --points-at "$1" | grep -x "v$version" > /dev/null; then echo "$version-0lodestar1"; else
    echo "${version%~dev}~dev.$(TZ=UTC0 git log -1 --date=format-local:%Y%m%d%H%M --format=%cd.%h --abbrev=8 "$1")-0lodestar1"
  fi
}
