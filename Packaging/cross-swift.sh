# Sourced: Debian 13's Swift as a cross-compiler. Needs chroot.sh, and `cache`.

# other_swift ARCH: unpacks Swift and the headers of Debian 13 for another architecture, and prints the folder.
other_swift() {
  local arch=$1 packages package
  local system=$cache/roots/trixie-$arch-swift-unpacked
  if [ ! -e "$system.swift-version" ]; then
    packages=$system.packages
    rm -rf "$system" "$packages"
    mkdir -p "$system" "$packages"
    debootstrap --download-only --variant=minbase --arch="$arch" --include=swiftlang,libc6-dev,libstdc++-14-dev trixie "$packages" "$mirror" \
      > "$system.log" 2>&1 || { tail -20 "$system.log" >&2; return 1; }
    # base-files first: the links /lib and /bin are in it.
    for package in "$packages"/var/cache/apt/archives/{base-files,*}_*.deb; do
      dpkg-deb --fsys-tarfile "$package" |
        tar -x -C "$system" --keep-directory-symlink --exclude='./usr/share/*' --exclude='./usr/libexec/swift/bin/*' --exclude='*/liblldb*'
    done
    # Where Clang looks for the module of the C library.
    find "$system/usr/libexec/swift/lib/swift/linux" \( -name glibc.modulemap -o -name SwiftGlibc.h \) -exec cp {} "$system/usr/include/" \;
    [ ! -e "$system/usr/include/glibc.modulemap" ] || mv "$system/usr/include/glibc.modulemap" "$system/usr/include/module.modulemap"
    package=$(echo "$packages"/var/cache/apt/archives/swiftlang_*.deb)
    dpkg-deb -f "$package" Version > "$system.swift-version"
    rm -rf "$packages"
  fi
  echo "$system"
}

# destination ARCH: what `swift build --destination` reads, for programs with the shared library of the Swift that is bound at /sysroot.
# The run path is that of Debian's Swift on the other machine, not of /sysroot.
destination() {
  local triple
  case $1 in amd64) triple=x86_64-linux-gnu ;; arm64) triple=aarch64-linux-gnu ;; esac
  cat <<JSON
{ "version": 1, "target": "${triple/-linux/-unknown-linux}", "toolchain-bin-dir": "/usr/libexec/swift/bin", "sdk": "/sysroot",
  "extra-cc-flags": ["-fPIC", "--sysroot=/sysroot"], "extra-cpp-flags": ["-lstdc++"],
  "extra-swiftc-flags": ["-use-ld=lld", "-resource-dir", "/sysroot/usr/libexec/swift/lib/swift", "-Xcc", "--sysroot=/sysroot",
    "-Xclang-linker", "--sysroot=/sysroot", "-Xclang-linker", "-fuse-ld=lld", "-tools-directory", "/usr/libexec/swift/bin",
    "-Xclang-linker", "--gcc-install-dir=/sysroot/usr/lib/gcc/$triple/14",
    "-no-toolchain-stdlib-rpath", "-Xlinker", "-rpath=/usr/libexec/swift/lib/swift/linux"] }
JSON
}
