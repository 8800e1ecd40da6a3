# Generated from docs/openapi.json by tools/write-clients.ts; never edited.
