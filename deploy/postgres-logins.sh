#!/bin/sh
# Run once by the image of PostgreSQL on an empty volume: the logins of docs/operations.md ("Logins of the database").
set -eu
psql -v ON_ERROR_STOP=1 -v owner="$FOOTNOTE_OWNER_PASSWORD" -v app="$FOOTNOTE_APP_PASSWORD" --username postgres <<'SQL'
CREATE ROLE footnote_engine NOLOGIN;
CREATE ROLE footnote_tenant NOLOGIN;
CREATE ROLE footnote_owner LOGIN NOINHERIT PASSWORD :'owner';
CREATE ROLE footnote_app LOGIN NOINHERIT PASSWORD :'app';
GRANT footnote_engine, footnote_tenant TO footnote_owner, footnote_app WITH INHERIT FALSE, SET TRUE;
CREATE DATABASE footnote OWNER footnote_owner;
REVOKE ALL ON DATABASE footnote FROM PUBLIC;
GRANT CONNECT ON DATABASE footnote TO footnote_app;
\connect footnote
GRANT USAGE, CREATE ON SCHEMA public TO footnote_owner;
SQL
