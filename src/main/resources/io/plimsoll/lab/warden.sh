# Ends a lab when the process at the other end of standard input ends, for any reason.
# Arguments: a text that the command line of each of the lab's brokers contains, then the paths to remove.
# Input: "watch PID" for each broker started; "unmount PATH" for each file system mounted; "rmdir PATH" for each
# cgroup created; "release" if the lab must remain.
marker=$1
shift
pids=
mounts=
groups=
while read -r verb value; do
  case $verb in
    watch) pids="$pids $value" ;;
    unmount)
      mounts="$mounts$value
" ;;
    rmdir) groups="$groups $value" ;;
    release) exit 0 ;;
  esac
done

# A process ID may have been reused, so the command line decides. A zombie process has no command line.
ours() {
  { tr '\0' ' ' <"/proc/$1/cmdline" || ps -o args= -p "$1"; } 2>/dev/null | grep -qF -- "$marker"
}

# SIGKILL also ends a stopped process.
for pid in $pids; do
  if ours "$pid"; then kill -KILL "$pid" 2>/dev/null; fi
done
for pid in $pids; do
  tries=0
  while [ $tries -lt 100 ] && ours "$pid"; do
    sleep 0.05
    tries=$((tries + 1))
  done
done
printf %s "$mounts" | while IFS= read -r mount; do
  # Lazily if the file system is busy. In both cases, it leaves the directory tree, so the final rm does not reach it.
  umount "$mount" 2>/dev/null || umount -l "$mount"
done
for group in $groups; do
  rmdir "$group" 2>/dev/null || { sleep 0.2 && rmdir "$group" 2>/dev/null; }
done
rm -rf -- "$@"
