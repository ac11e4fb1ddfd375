# A PostgreSQL server for tests: `sh -c THIS derny`. It has a socket in a temporary folder and no port. When it takes connections, the
# folder is printed. It goes, with all that it wrote, when standard input ends: when the tests are over, however they end. A line there
# stops and starts it again ("restart"), or only stops it ("stop", then "start").
set -u
bin=$(ls -d "${DERNY_POSTGRES:-/nowhere}" /usr/lib/postgresql/*/bin /usr/pgsql-*/bin 2>/dev/null | sort -V | tail -n 1)
[ -n "$bin" ] || bin=$(dirname "$(command -v initdb)")
[ -x "$bin/initdb" ] || { echo "there is no PostgreSQL; type: apt-get install postgresql" >&2; exit 1; }
folder=$(mktemp -d "${TMPDIR:-/tmp}/derny-pg.XXXXXX") || exit 1
as=
# It refuses to run as root.
if [ "$(id -u)" = 0 ]; then
    chown 65534:65534 "$folder"
    as='setpriv --reuid=65534 --regid=65534 --clear-groups'
fi
server=
stop() {
    [ -z "$server" ] || { kill -s "$1" "$server"; wait "$server"; } 2>/dev/null
    server=
}
trap 'stop QUIT; rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
start() {
    $as "$bin/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c fsync=off -c full_page_writes=off \
        -c synchronous_commit=off -c shared_buffers=16MB -c max_connections=80 -c wal_level=minimal -c max_wal_senders=0 \
        -c autovacuum=off >>"$folder/log" 2>&1 </dev/null &
    server=$!
    until "$bin/pg_isready" -q -h "$folder" -d postgres -U derny; do
        kill -0 "$server" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
        sleep 0.05
    done
}
cd "$folder" || exit 1
$as "$bin/initdb" -D "$folder/data" -U derny -A trust -E UTF8 --locale=C --no-sync >"$folder/log" 2>&1 </dev/null ||
    { cat "$folder/log" >&2; exit 1; }
$as sh -c 'printf "local all derny trust\nlocal all all scram-sha-256\n" >"$1"' sh "$folder/data/pg_hba.conf"
start
echo "$folder"
while read -r word; do
    case $word in
        restart) stop INT; start ;;
        stop) stop INT ;;
        start) start ;;
    esac
    echo "$word"
done
