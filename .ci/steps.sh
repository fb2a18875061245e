# Sourced: step NAME begins a step; at the end the seconds of each are printed.
steps=() begin=0 name=
step() {
  [ -z "$name" ] || steps+=("$(printf '%5d s  %s' $((SECONDS - begin)) "$name")")
  name=$1 begin=$SECONDS
  printf '\n== %s (%d s)\n' "$1" "$SECONDS"
}
end_steps() {
  step end
  printf '%s\n' "${steps[@]}"
}
trap end_steps EXIT
