# A PostgreSQL server for tests: `sh -c THIS derny`. Its socket is in a temporary folder, which is printed once the server
# accepts connections. It accepts encrypted connections at two addresses that no other server on this machine uses. The file
# `hosts` contains both; the first one is in the certificate. `root.crt` has signed the certificate, and `other.crt` has not.
# The server and its files are removed when standard input ends, which is when the tests end for any reason. A line `restart`
# restarts the server, `stop` stops it, and `start` starts it again.
# shellcheck shell=sh
set -u
bin=$(ls -d "${DERNY_POSTGRES:-/nowhere}" /usr/lib/postgresql/*/bin /usr/pgsql-*/bin 2>/dev/null | sort -V | tail -n 1)
[ -n "$bin" ] || bin=$(dirname "$(command -v initdb)")
[ -x "$bin/initdb" ] || { echo "PostgreSQL is not installed; run: apt-get install postgresql" >&2; exit 1; }
folder=$(mktemp -d "${TMPDIR:-/tmp}/derny-pg.XXXXXX") || exit 1
as=
# PostgreSQL refuses to run as root.
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
# Derive the addresses from the process id. No other server uses this port.
port=28457 low=$(($$ / 62500 % 100 + 1)) high=$(($$ / 250 % 250)).$(($$ % 250 + 1))
named=127.$low.$high other=127.$((low + 100)).$high
# request NAME SUBJECT [MORE]: creates a key and its certificate request.
request() {
    name=$1 subject=$2
    shift 2
    $as openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$name.key" -subj "/CN=$subject" "$@"
}
certify() {
    for name in root other; do request $name "$name of tests" -x509 -days 2 -out $name.crt || return 1; done
    request server derny -out server.csr || return 1
    printf 'subjectAltName=IP:%s\n' "$named" >server.ext && printf '%s %s\n' "$named" "$other" >hosts
    $as openssl x509 -req -in server.csr -CA root.crt -CAkey root.key -CAcreateserial -days 2 -extfile server.ext -out server.crt
}
start() {
    $as "$bin/postgres" -D "$folder/data" -k "$folder" -p $port -c listen_addresses="$named,$other" -c ssl=on \
        -c ssl_cert_file="$folder/server.crt" -c ssl_key_file="$folder/server.key" -c fsync=off -c full_page_writes=off \
        -c synchronous_commit=off -c shared_buffers=16MB -c max_connections=80 -c wal_level=minimal -c max_wal_senders=0 \
        -c autovacuum=off >>"$folder/log" 2>&1 </dev/null &
    server=$!
    until "$bin/pg_isready" -q -h "$folder" -p $port -d postgres -U derny; do
        kill -0 "$server" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
        sleep 0.05
    done
}
cd "$folder" || exit 1
$as "$bin/initdb" -D "$folder/data" -U derny -A trust -E UTF8 --locale=C --no-sync >"$folder/log" 2>&1 </dev/null ||
    { cat "$folder/log" >&2; exit 1; }
$as sh -c 'printf "local all derny trust\nlocal all all scram-sha-256\nhostssl all derny 127.0.0.0/8 trust\n" >"$1"' sh "$folder/data/pg_hba.conf"
certify >>"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
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
