import S3rver from "s3rver"

// An S3 server at an address of this host: `node blob-host.ts ADDRESS FOLDER`.
const [address = "127.0.0.1", directory = "."] = process.argv.slice(2)
const server = new S3rver({
  address,
  port: 9000,
  silent: true,
  directory,
  vhostBuckets: false,
  configureBuckets: [{ name: "blobs" }]
})
await server.run()
process.send?.({ ready: true })
