#!/usr/bin/env bash
# build-embedded [--list]: compiles the Swift targets of the floors `ground` and `pure` (README.md, Floors) in Embedded
# Swift for three bare-metal targets: the proof that the heading engine needs no operating system. Objects only;
# nothing is linked (Examples/Firmware/run links and executes). --list prints the targets instead.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/embedded.sh

targets=(riscv32-none-none-eabi)
modules=$(pure_modules)
[ "${1-}" != --list ] || { echo "$modules"; exit; }
modules=$(echo $modules)
prepare_numerics
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

build() { # TARGET
  local target=$1 cpu=() objects
  # Cortex-M4: the smallest core with a floating-point unit that people build compasses on.
  case $target in armv7em-*) cpu=(-Xcc -mcpu=cortex-m4 -Xcc -mfloat-abi=soft) ;; esac
  compile_pure "$out/$target" "$modules" -target "$target" "${embedded_swift[@]}" "${cpu[@]}"
  read -ra objects <<< "$modules"
  objects=("${objects[@]/#/$out/$target/}")
  echo "embedded: $target: $modules: $(cat "${objects[@]/%/.o}" | wc -c) bytes of objects"
}

# Builds one target on each core at a time: a module is compiled on a single core.
status=0 running=0
for target in "${targets[@]}"; do
  if [ $running -ge "$(nproc)" ]; then wait -n || status=1; running=$((running - 1)); fi
  (build "$target") &
  running=$((running + 1))
done
while [ $running -gt 0 ]; do wait -n || status=1; running=$((running - 1)); done
exit $status
