#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the three processes with a separate server, kills each process and the server with `kill -9`,
# and prints the lines that each process has written: Examples/Household/run.sh PROGRAM
set -euo pipefail
program=${1:?name the program, such as .build/debug/Household}
PATH=$PATH:/usr/sbin
folder=$(mktemp -d "${TMPDIR:-/tmp}/tidings-household.XXXXXX")
declare -A pids

clean_up() {
    kill -9 "${pids[@]}" 2>/dev/null || true
    wait
    rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

fail() {
    echo "error: $*" >&2
    tail -n 20 "$folder"/*.ledger "$folder"/*.log >&2
    exit 1
}

await() { # files, pattern, count: waits until the files together have so many lines with the pattern
    local tries found
    for ((tries = 0; tries < 1000; tries++)); do
        # The argument is unquoted, because it may be a pattern of names.
        # shellcheck disable=SC2086
        found=$(cat "$folder"/$1 2>/dev/null | grep -cE "$2" || true)
        [ "$found" -lt "$3" ] || return 0
        sleep 0.1
    done
    fail "$1 has no $3 lines with: $2"
}

start_server() { # port; -1 for a free one
    printf 'listen: 127.0.0.1:%s\njetstream { store_dir: "%s/store" }\n' "$1" "$folder" >"$folder/server.conf"
    : >"$folder/server.log"
    nats-server -c "$folder/server.conf" >"$folder/server.log" 2>&1 &
    pids[server]=$!
    await server.log 'Server is ready' 1
}

start() { # role
    "$program" "$1" "nats://127.0.0.1:$port" "$folder" <>"$folder/$1.input" 2>>"$folder/$1.log" &
    pids[$1]=$!
}

connected() { # role
    await "$1.ledger" "^connected ${pids[$1]}$" 1
}

crash() { # name
    kill -9 "${pids[$1]}"
    wait "${pids[$1]}" 2>/dev/null || true
}

orders=0
order() { # dish for both tables
    orders=$((orders + 1))
    printf 'order A %d %s\norder B %d %s\n' "$orders" "$1" "$orders" "$1" >&4
}

mkfifo "$folder"/{desk,kitchen,screen}.input
exec 4<>"$folder/desk.input"
start_server -1
port=$(sed -n 's/.*Listening for client connections on .*:\([0-9]*\)$/\1/p' "$folder/server.log")
for role in desk kitchen screen; do start "$role"; done

# All processes are running.
order soup && order bread
await screen.ledger gets $((2 * orders))

# The kitchen is killed, and the orders wait for the next start.
crash kitchen
order fish && order salad
await desk.ledger took $((2 * orders))
start kitchen
await screen.ledger gets $((2 * orders))

# The server is killed, and then the desk, which has taken orders without the server.
crash server
order cake && order tea
await desk.ledger took $((2 * orders))
crash desk
start_server "$port"
start desk
await screen.ledger gets $((2 * orders))

# The script kills processes at any moment of the work.
for victim in kitchen screen kitchen screen; do
    for dish in rice beans; do order "$dish"; done
    crash "$victim"
    start "$victim"
done
await screen.ledger gets $((2 * orders))

# A bell reaches the processes that are connected now, and no process that connects later.
for role in desk kitchen screen; do connected "$role"; done
echo 'ring A' >&4
await screen.ledger 'A rang' 1
crash screen
echo 'ring B' >&4
await kitchen.ledger 'B rang' 1
start screen
connected screen
echo 'ring C' >&4
await screen.ledger 'C rang' 1
await kitchen.ledger 'C rang' 1

# One of the two processes clears each table.
for table in A B C D E F; do echo "leave $table" >&4; done
await '[ks]*.ledger' cleared 6
echo close >&4
await desk.ledger '^closed' 1

for role in desk kitchen screen; do
    echo "$role"
    # The order is kept for each table, but not between tables.
    grep -vE '^(connected|cleared)' "$folder/$role.ledger" | sort -s -k2,2 | sed 's/^/  /'
done
echo "kitchen or screen"
sort "$folder"/{kitchen,screen}.ledger | sed -n 's/^cleared/  &/p'
