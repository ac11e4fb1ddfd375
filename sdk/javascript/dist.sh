#!/usr/bin/env bash
# dist.sh FOLDER PLATFORM=ENGINE...: builds the npm packages of this SDK in FOLDER. The package `derny`
# contains the command. Each platform has a package with the engine. These are optional dependencies of
# `derny`, so npm installs only the one for its machine.
set -euo pipefail
folder=$(realpath "$1")
shift
cd "$(dirname "$0")"
draft=$(mktemp -d)
trap 'rm -rf "$draft"' EXIT
mkdir "$draft/derny"
tar --exclude=./node_modules -cf - . | tar -C "$draft/derny" -xf -
packages=("$draft/derny")
for each; do
    case ${each%%=*} in
        x86_64-linux) name=linux-x64 ;;
        aarch64-linux) name=linux-arm64 ;;
        *) echo "dist.sh: npm has no name for ${each%%=*}" >&2; exit 2 ;;
    esac
    install -D -m 755 "${each#*=}" "$draft/$name/derny"
    packages+=("$draft/$name")
done
node - "$(../../scripts/dist/fact.sh home)" "${packages[@]}" <<'J'
const fs = require('node:fs');
const path = require('node:path');
const [home, main, ...engines] = process.argv.slice(2);
const file = path.join(main, 'package.json');
const own = { ...JSON.parse(fs.readFileSync(file, 'utf8')), homepage: home, repository: `git+${home}.git` };
const write = (folder, value) => fs.writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(value, null, 2)}\n`);
const platforms = engines.map((folder) => path.basename(folder));
own.files.push('bin');
own.bin = { derny: 'bin/derny.cjs' };
own.optionalDependencies = Object.fromEntries(platforms.map((platform) => [`@derny/${platform}`, own.version]));
write(main, own);
const { version, license, homepage, repository } = own;
engines.forEach((folder, at) => {
  const [os, cpu] = platforms[at].split('-');
  const name = `@derny/${platforms[at]}`;
  const description = `The engine of derny for ${os} on ${cpu}`;
  // A program cannot be started from within an archive, which some package managers would leave it in.
  write(folder, { name, version, description, license, homepage, repository, os: [os], cpu: [cpu], files: ['derny'], preferUnplugged: true });
  fs.writeFileSync(path.join(folder, 'README.md'), `${description}. The package [derny](${home}) installs it where it is needed.\n`);
});
J
for package in "${packages[@]}"; do
    cp ../../LICENSE-APACHE ../../LICENSE-MIT "$package"
done
cd "$folder"
npm pack "${packages[@]}" --silent --ignore-scripts >/dev/null
