#!/usr/bin/env bash
# dist.sh [FOLDER [PLATFORM=PROGRAM]...]: makes all files of a release in FOLDER. Each platform has an
# archive, a Debian package, and the packages that SDKs make of the engine (`dist.sh` of each). Common files
# are the install script, a Homebrew formula, and checksums. Without a PROGRAM, builds the engines for
# which this machine has toolchains, and names those it skips. A release gets them from separate machines
# (.github/workflows/release.yml).
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-target/dist}
[ $# = 0 ] || shift
engines=("$@")
if [ ${#engines[@]} = 0 ]; then
    for platform in x86_64-linux aarch64-linux; do
        status=0
        program=$(scripts/dist/engine.sh $platform) || status=$?
        case $status in
            0) engines+=("$platform=$program") ;;
            3) ;; # the script has printed what is missing
            *) exit $status ;;
        esac
    done
fi
version=$(scripts/dist/fact.sh version)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
# Remove the files of an earlier version.
[ ! -f "$folder/SHA256SUMS" ] || (cd "$folder" && sed 's/^[0-9a-f]*  //' SHA256SUMS | xargs -d '\n' rm -f SHA256SUMS)
draft=$(mktemp -d)
trap 'rm -rf "$draft"' EXIT

# Manual and completions are the same on all platforms. Print them with an engine that runs here.
here=
for engine in "${engines[@]}"; do
    if "${engine#*=}" --version >/dev/null 2>&1; then here=${engine#*=}; fi
done
[ -n "$here" ] || { echo "none of the engines runs here: ${engines[*]}" >&2; exit 1; }
[ "$("$here" --version | cut -d' ' -f2)" = "$version" ] || { echo "$here is not of version $version, as Cargo.toml says" >&2; exit 1; }
mkdir "$draft/shared" "$draft/shared/completions"
"$here" -q dev man --all "$draft/shared/man"
"$here" dev completions bash >"$draft/shared/completions/derny.bash"
"$here" dev completions zsh >"$draft/shared/completions/_derny"
"$here" dev completions fish >"$draft/shared/completions/derny.fish"
cp README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$draft/shared"

carriers=()
for engine in "${engines[@]}"; do
    platform=${engine%%=*}
    cp -r "$draft/shared" "$draft/$platform"
    cp "${engine#*=}" "$draft/$platform/derny"
    chmod 755 "$draft/$platform/derny"
    scripts/dist/archive.sh "$platform" "$folder" "$draft/$platform"
    scripts/dist/deb.sh "$platform" "$folder" "$draft/$platform"
    carriers+=("$platform=$draft/$platform/derny")
done
# Make the packages that bring the engine to the users of a language.
for sdk in sdk/*/; do
    [ ! -x "${sdk}dist.sh" ] || "${sdk}dist.sh" "$folder" "${carriers[@]}"
done
scripts/dist/formula.sh "$folder"
(cd "$folder" && sha256sum derny-*.tar.gz) >"$draft/sums"
awk -v sums="$draft/sums" '
    /^SUMS=/ { printf "SUMS='\''"; while ((getline line < sums) > 0) printf "%s%s", n++ ? "\n" : "", line; print "'\''"; next }
    { print }
' install.sh >"$folder/install.sh"
chmod 755 "$folder/install.sh"
# shellcheck disable=SC2094 # find excludes the file that is being written
(cd "$folder" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS)
echo "made $folder:" && (cd "$folder" && ls -sh --block-size=KiB)
