#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Repeats the tests that find rare faults: all parts of Scripts/soak-part.sh, or the parts that
# PARTS names. The next parts run even if a part fails. At the end, the script prints a table of the
# parts and their times, and fails if a part has failed.
source "$(dirname "$0")/common.sh"
require_swift

logs=.build/soak-logs
mkdir -p "$logs"
mapfile -t known < <(Scripts/soak-part.sh --list)
read -ra parts <<<"${PARTS:-${known[*]}}"
for part in "${parts[@]}"; do
    [[ " ${known[*]} " == *" $part "* ]] || fail "unknown part '$part'; PARTS names some of: ${known[*]}"
done

Scripts/step.sh deps
table=()
failed=0
for part in "${parts[@]}"; do
    begin=$SECONDS
    outcome=passed
    say "$part ..."
    if ! Scripts/soak-part.sh "$part" </dev/null >"$logs/$part.log" 2>&1; then
        tail -n 40 "$logs/$part.log"
        outcome="FAILED, see $logs/$part.log"
        failed=1
    fi
    seed=$(grep -m 1 -oE 'TIDINGS_SEED=[0-9]+' "$logs/$part.log" || true)
    table+=("$(printf '%-11s %6d s  %-24s %s' "$part" $((SECONDS - begin)) "$seed" "$outcome")")
done
say
printf '%s\n' "${table[@]}"
exit $failed
