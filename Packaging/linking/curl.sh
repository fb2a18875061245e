# Sourced: a library in place of libcurl for a program with Swift's static library.

# static_library: the folder of the Swift that is used.
static_library() { echo "$(dirname "$(dirname "$(realpath "$(command -v swift)")")")/lib/swift_static/linux"; }

# stub_curl STATIC FOLDER COMPILER...: makes FOLDER/libcurl.a with the functions that FoundationNetworking in STATIC calls; each ends the
# program. FlyingFox's handler of proxies, which we do not use, imports FoundationNetworking, and the linker does not drop it: libcurl
# and its development files would be needed for nothing.
stub_curl() {
  local static=$1 folder=$2
  shift 2
  mkdir -p "$folder"
  nm -u "$static/lib_CFURLSessionInterface.a" 2> /dev/null | awk '$2 ~ /^curl_/ { print $2 }' | LC_ALL=C sort -u |
    sed 's/.*/void &(void) { __builtin_trap(); }/' > "$folder/curl.c"
  "$@" -O2 -fPIC -ffunction-sections -c "$folder/curl.c" -o "$folder/curl.o"
  rm -f "$folder/libcurl.a"
  ar rcD "$folder/libcurl.a" "$folder/curl.o"
  rm "$folder"/curl.[co]
}
