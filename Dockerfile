# The image of Sluice: `docker build -t sluice .`, with a Chromium: `docker build --build-arg CHROMIUM=true -t sluice .`
# About 0.4 GB unpacked, of which Node's own image is more than a half; a Chromium with its libraries makes it 1.1 GB.
# Versions of base images are exact; to hold on to their bytes as well, add the digest that your registry shows.

FROM node:22.23.3-bookworm-slim AS build
WORKDIR /build
# Dependencies only change with these two, and are then taken from the cache. None of them has to run a script.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY build.mjs tsconfig.json ./
COPY src ./src
# The driver of the browser and the carrier of parts are optional peer dependencies, which npm would take away.
RUN node build.mjs && mv node_modules/playwright-core /tmp \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm install --no-save --omit=dev --ignore-scripts --no-audit --no-fund \
    "pg-boss@$(node --print 'require("./package.json").devDependencies["pg-boss"]')" \
  && mv /tmp/playwright-core node_modules

FROM node:22.23.3-bookworm-slim
ARG CHROMIUM=false
# tini is the first process: it hands signals on, and buries what a browser leaves behind.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates tini \
  && if [ "$CHROMIUM" = true ]; then apt-get install -y --no-install-recommends chromium fonts-liberation; fi \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/sluice
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY LICENSE README.md CHANGELOG.md ./
COPY pipelines ./pipelines
COPY config ./config
RUN ln -s /opt/sluice/dist/bin.js /usr/local/bin/sluice \
  && mkdir -p /var/lib/sluice /shared \
  && chown node:node /var/lib/sluice /shared
# Freed memory goes back to the system: left to itself the C library keeps a few hundred megabytes after large pages.
ENV NODE_ENV=production SLUICE_DATA=/var/lib/sluice MALLOC_TRIM_THRESHOLD_=131072
USER node
WORKDIR /shared
VOLUME /var/lib/sluice
EXPOSE 4711
# What the engine answers; other services of the image have a check of their own, or none, in compose.yaml.
HEALTHCHECK --interval=15s --timeout=10s --start-period=20s --retries=3 \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:4711/health').then((answer)=>process.exit(answer.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["/usr/bin/tini", "--"]
# Inside the container it listens on all addresses: which of them others reach is up to who publishes the port. Every
# request needs a key, but nothing is encrypted: publish it on loopback, or behind a proxy that speaks TLS.
CMD ["sluice", "serve", "--host", "0.0.0.0", "--port", "4711"]
