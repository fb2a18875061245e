# Sourced: finds the emulated boards. With the first argument or LODESTAR_SHARED another folder of reference data than ../shared; LODESTAR_RIG names
# the rig itself. Sets shared and rig_folder; status 69 where there is none.
shared=$(realpath -m "${1:-${LODESTAR_SHARED:-../shared}}")
rig_folder=${LODESTAR_RIG:-$shared/rig}
[ -x "$rig_folder/run" ] || {
  echo "$0: $rig_folder has no emulated boards; name the folder of the reference data as the argument or in LODESTAR_SHARED" >&2
  exit 69
}
