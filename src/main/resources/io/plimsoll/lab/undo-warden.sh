# Runs the undo command if standard input ends without "release". First waits up to 60 s for the process of the last
# "after PID", because the change may still be in progress.
undo=$PLIMSOLL_COMMAND
unset PLIMSOLL_COMMAND
doing=
while read -r verb value; do
  case $verb in
    after) doing=$value ;;
    release) exit 0 ;;
  esac
done
tries=0
while [ -n "$doing" ] && [ $tries -lt 1200 ] && kill -0 "$doing" 2>/dev/null; do
  sleep 0.05
  tries=$((tries + 1))
done
eval "$undo"
