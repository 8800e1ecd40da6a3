#!/bin/bash
# Two machines by network namespaces of our own: one with PostgreSQL and whatever else is run there, one with a worker alone.
# Usage: lost-machine.sh FOLDER NODE POSTGRES_BIN SCRIPT WORKER; runs SCRIPT on the first machine.
set -eu
folder=$1 node=$2 bin=$3 script=$4 worker=$5
near=footnote-near-$$ far=footnote-far-$$
as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
pid=
cleanup() {
  [ -z "$pid" ] || kill -9 "$pid" || true
  $as_nobody "$bin/pg_ctl" -D "$folder/data" -m immediate stop || true
  ip netns del $near || true
  ip netns del $far || true
} > /dev/null 2>&1
trap cleanup EXIT
ip netns add $near
ip netns add $far
ip -n $near link add near type veth peer name far netns $far
ip -n $near addr add 10.231.7.1/24 dev near
ip -n $far addr add 10.231.7.2/24 dev far
for one in "$near near" "$near lo" "$far far" "$far lo"; do set -- $one; ip -n "$1" link set "$2" up; done
chown nobody "$folder"
$as_nobody "$bin/initdb" -D "$folder/data" -U footnote -A trust > /dev/null
echo "host all all 10.231.7.0/24 trust" >> "$folder/data/pg_hba.conf"
ip netns exec $near $as_nobody "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/log" start \
  -o "-c listen_addresses=10.231.7.1 -k $folder" > /dev/null
export DATABASE_URL=postgres://footnote@10.231.7.1/postgres
export FOOTNOTE_FAR=$far
ip netns exec $near "$node" "$script" migrate
ip netns exec $far "$node" "$worker" '{"block":"fetch"}' > "$folder/worker" 2>&1 &
pid=$!
ip netns exec $near "$node" "$script" watch
