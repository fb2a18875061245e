# Sourced: newest_libc FILE...: the oldest glibc that has all that these programs or libraries need of it, such as 2.36.
newest_libc() {
  # Packed relocations are marked by a version of their own.
  readelf -VW "$@" | grep -oE 'GLIBC_(2\.[0-9]+|ABI_DT_RELR)' | sed 's/.*DT_RELR/2.36/; s/GLIBC_//' | sort -uV | tail -1
}
