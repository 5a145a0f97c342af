# shellcheck shell=bash
# Shared by ./plimsoll and ./test: find a JDK, install missing packages, build. Sourced, never run directly.
# Reads: home (the directory of the repository; set by the script that sources this file).
# Sets:  java_home, java_major (by find_java).

min_java=17
target=${home:?}/target
jar=$target/plimsoll.jar
stamp=$target/build.stamp

say() { printf '%s\n' "$*" >&2; }

die() {
  local code=$1
  shift
  say "plimsoll: $*"
  exit "$code"
}

# --- A JDK -----------------------------------------------------------------------------------------------------------

# java_at DIR [javac]: whether DIR has a Java that is new enough (and a compiler, if requested).
# The version is read from the file "release": starting a JVM for the version would add a quarter to the startup time.
java_at() {
  local dir=$1 line version=
  [[ -x $dir/bin/java ]] || return 1
  [[ ${2-} != javac || -x $dir/bin/javac ]] || return 1
  if [[ -r $dir/release ]]; then
    while IFS= read -r line; do
      if [[ $line == JAVA_VERSION=* ]]; then
        version=${line#*=}
        break
      fi
    done <"$dir/release"
  fi
  if [[ -z $version ]]; then
    version=$(java_property "$dir/bin/java" java.version)
  fi
  version=${version//\"/}
  version=${version#1.} # 1.8.0 is Java 8
  version=${version%%[!0-9]*}
  [[ -n $version ]] && ((version >= min_java)) || return 1
  java_home=$dir
  # shellcheck disable=SC2034 # for the script that sources this file
  java_major=$version
}

java_property() {
  "$1" -XshowSettings:properties -version 2>&1 </dev/null | sed -n "s/^ *$2 = //p" || true
}

# find_java [javac]: looks in JAVA_HOME, then on the PATH, then in the directory where distributions install JDKs.
find_java() {
  local need=${1-} path dir
  if [[ -n ${JAVA_HOME-} ]]; then
    java_at "$JAVA_HOME" "$need" && return
  fi
  if path=$(type -P java); then
    dir=$path
    # Like readlink -f, which macOS supports only from version 12.3.
    while [[ -L $dir ]]; do
      [[ $(readlink "$dir") == /* ]] && dir=$(readlink "$dir") || dir=$(dirname "$dir")/$(readlink "$dir")
    done
    dir=${dir%/bin/java}
    # A version manager's shim is a script: only the Java that it starts knows its home.
    [[ -r $dir/release ]] || dir=$(java_property "$path" java.home)
    java_at "$dir" "$need" && return
  fi
  for dir in "${PLIMSOLL_JVMS:-/usr/lib/jvm}"/*; do
    java_at "$dir" "$need" && return
  done
  return 1
}

# --- Installing missing packages -------------------------------------------------------------------------------------

apt_offers() { apt-cache show --no-all-versions "$1" >/dev/null 2>&1; }

# Newer distributions have dropped Java 17. If the package lists were never updated, apt offers none, and 17 is the best guess.
jdk_package() {
  if ! apt_offers openjdk-17-jdk-headless && apt_offers default-jdk-headless; then
    echo default-jdk-headless
  else
    echo openjdk-17-jdk-headless
  fi
}

# missing_packages run|build|test: prints the missing Debian packages for this purpose.
missing_packages() {
  local purpose=$1 packages=() compiler=javac
  [[ $purpose != run ]] || compiler=
  find_java "$compiler" || packages+=("$(jdk_package)")
  [[ $purpose == run ]] || type -P mvn >/dev/null || packages+=(maven)
  if [[ $purpose == test && -z ${PLIMSOLL_SKIP_BROWSER-} ]]; then
    type -P chromium >/dev/null || packages+=(chromium)
    type -P chromedriver >/dev/null || packages+=(chromium-driver)
  fi
  echo "${packages[*]}"
}

# ensure_tools run|build|test: ensures that the tools for this purpose are installed, or ends the script.
ensure_tools() {
  local purpose=$1 packages compiler=javac
  packages=$(missing_packages "$purpose")
  if [[ -n $packages ]]; then
    if ! type -P apt-get >/dev/null; then
      die 2 "not found: $packages (names of Debian packages). Install a JDK $min_java or newer with javac, and" \
        "what else is named; set JAVA_HOME if the JDK is not on the PATH; then start again."
    elif [[ $(id -u) == 0 ]]; then
      install_packages "$purpose" "$packages"
    else
      say "plimsoll: not found: $packages. Type this, then start again:"
      say "  sudo apt-get update && sudo apt-get install -y --no-install-recommends $packages"
      [[ $packages != *chromium* ]] || say "or set PLIMSOLL_SKIP_BROWSER=1 to do without the tests in a browser."
      exit 2
    fi
  fi
  [[ $purpose != run ]] || compiler=
  find_java "$compiler" || die 1 "no JDK $min_java or newer was found, although one was installed."
}

install_packages() {
  local purpose=$1 announced=$2 packages log=$target/setup.log
  make_target
  say "Installing with apt-get: $announced ..."
  : >"$log"
  # A package source that does not respond makes the update fail, but the other sources may offer all packages.
  apt_get "$log" update || true
  packages=$(missing_packages "$purpose") # only now is it known which packages apt offers
  if [[ $packages == *chromium* ]] && ! apt_offers chromium; then
    export PLIMSOLL_SKIP_BROWSER=1
    say "apt offers no chromium here: the tests in a browser are skipped."
    packages=$(missing_packages "$purpose")
  fi
  [[ -n $packages ]] || return 0
  [[ $packages == "$announced" ]] || say "Installing with apt-get: $packages ..."
  # shellcheck disable=SC2086 # a list of names
  if ! apt_get "$log" install -y --no-install-recommends $packages; then
    tail -n 15 "$log" >&2
    die 1 "apt-get could not install $packages (its whole output: $log)."
  fi
  hash -r
}

apt_get() {
  local log=$1
  shift
  DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" >>"$log" 2>&1 </dev/null 9>&-
}

# --- Building --------------------------------------------------------------------------------------------------------

make_target() {
  if ! mkdir -p "$target" 2>/dev/null || [[ ! -w $target ]]; then
    die 2 "cannot write to $target: start once as the owner of $home, or work in a clone of your own."
  fi
}

# A deleted source file makes its directory newer.
build_is_stale() {
  [[ ! -e $stamp || ! -e $jar ]] ||
    [[ -n $(find "$home/src/main" "$home"/{fleet,history,omb,perf,schemas}/src/main "$home/pom.xml" -newer "$stamp" -print -quit 2>/dev/null) ]]
}

# One build at a time in a directory. The lock is file descriptor 9; it is released when this process ends.
lock_build() {
  exec 9>"$target/build.lock"
  type -P flock >/dev/null || return 0
  if ! flock -n 9; then
    say "Waiting for another build of Plimsoll ..."
    flock -w 1800 9 || die 1 "another build has held $target/build.lock for half an hour."
  fi
}

unlock_build() { exec 9>&-; }

own_git() { git --no-optional-locks -c "safe.directory=$home" -C "$home" "$@" 2>/dev/null; }

# The commit from which the jar is built, with "-dirty" if the sources differ from it; "unknown" without Git.
commit() {
  local hash
  if [[ -e $home/.git ]] && hash=$(own_git rev-parse --short HEAD); then
    [[ -z $(own_git status --porcelain -- {,fleet/,history/,omb/,perf/,schemas/}src/main pom.xml) ]] || hash+=-dirty
    echo "$hash"
  else
    echo unknown
  fi
}

# commit_time FORMAT OTHERWISE: the time of this commit, which all build products get; OTHERWISE without Git. Archives cannot
# store times before 1980.
commit_time() {
  { [[ -e $home/.git ]] && TZ=UTC own_git log -1 "--date=format-local:$1" --format=%cd; } || echo "$2"
}

# Before Maven writes to target: the jar is replaced by a copy, so that running processes keep the old file. If dependencies
# may have changed, all libraries are deleted, so that no old version remains on the class path.
prepare_build() {
  touch "$target/build.started"
  if [[ -e $jar ]]; then
    cp -p "$jar" "$jar.copy" && mv -f "$jar.copy" "$jar"
  fi
  if [[ ! -e $stamp || $home/pom.xml -nt $stamp ]]; then
    rm -rf "${target:?}/lib"
  fi
}

# The stamp has the start time of the build, so that a source saved during the build counts as newer.
finish_build() { mv -f "$target/build.started" "$stamp"; }

# Runs Maven in the repository. If a server stops responding, Maven fails after a minute, instead of half an hour by default.
maven() {
  local options=(-B -ntp "-Dplimsoll.commit=$(commit)"
    "-Dproject.build.outputTimestamp=$(commit_time %Y-%m-%dT%H:%M:%SZ 1980-01-02T00:00:00Z)"
    -Dmaven.wagon.rto=60000 -Daether.connector.connectTimeout=20000 -Daether.connector.requestTimeout=60000)
  [[ -t 1 ]] || options+=(-Dstyle.color=never)
  (cd "$home" && JAVA_HOME=$java_home exec mvn "${options[@]}" "$@") 9>&-
}

explain_build_failure() {
  local log=$1
  tail -n 25 "$log" >&2
  if grep -qE 'Could not (transfer|resolve)|could not be resolved|Unknown host|[Tt]imed out|Connection refused|PKIX' "$log"; then
    die 1 "Maven could not download a library from Maven Central. Check the network (a proxy belongs in" \
      "Maven's settings.xml) and start again: what has arrived is kept. All of the output: $log"
  fi
  die 1 "the build failed. All of the output: $log"
}

# Builds the jar if a source is newer.
ensure_build() {
  if [[ -n ${PLIMSOLL_NO_BUILD-} ]]; then
    [[ -e $jar ]] || die 1 "there is no $jar, and PLIMSOLL_NO_BUILD forbids to build it."
    return
  fi
  build_is_stale || return 0
  make_target
  lock_build
  if build_is_stale; then # another process may just have built it
    local log=$target/build.log why='sources have changed'
    [[ -e $jar ]] || why='first use; about a minute'
    ensure_tools build
    say "Building Plimsoll ($why) ..."
    prepare_build
    maven -Dmaven.test.skip=true package >"$log" 2>&1 </dev/null || explain_build_failure "$log"
    finish_build
    prepare_lab >>"$log" 2>&1 </dev/null || true # brokers also start without it, but more slowly
  fi
  unlock_build
}

# Halves the CPU time of a broker's start: its classes are archived once for all starts.
prepare_lab() {
  "$java_home/bin/java" "-Dplimsoll.lib=$target/lib" -cp "$jar:$target/lib/*" io.plimsoll.cli.Main lab prepare 9>&-
}
