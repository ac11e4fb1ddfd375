#!/usr/bin/env bash
# formula.sh FOLDER: writes the Homebrew formula to FOLDER, with the addresses and checksums of the
# archives there.
set -euo pipefail
folder=$1
fact() { "$(dirname "$0")/fact.sh" "$1"; }
version=$(fact version) download=$(fact download)

# source_for CONDITION PLATFORM: prints the location of the archive for a kind of processor, if it exists.
source_for() {
    local name=derny-$version-$2.tar.gz
    [ -f "$folder/$name" ] || return 0
    printf '\n  %s do\n    url "%s"\n    sha256 "%s"\n  end\n' "$1" "$download/v$version/$name" "$(sha256sum "$folder/$name" | cut -d' ' -f1)"
}
cat >"$folder/derny.rb" <<R
class Derny < Formula
  desc "Microbenchmarking system for every language"
  homepage "$(fact home)"
  version "$version"
  license any_of: ["Apache-2.0", "MIT"]

  depends_on :linux
$(source_for on_intel x86_64-linux)
$(source_for on_arm aarch64-linux)

  def install
    bin.install "derny"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/derny.bash" => "derny"
    zsh_completion.install "completions/_derny"
    fish_completion.install "completions/derny.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/derny --version")
  end
end
R
