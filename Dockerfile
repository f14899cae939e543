# The image has Node 24 already, so the copy that npm would install (an optional dependency) is omitted.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM node:24-bookworm-slim AS bundle
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY scripts/build.js scripts/
COPY data data
COPY src src
RUN npm run build

FROM node:24-bookworm-slim
# The browser of /v1/intel, a font for its pages, and an init process that reaps children of a killed browser.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends chromium-headless-shell fonts-liberation tini \
 && rm -rf /var/lib/apt/lists/*
# 0.0.0.0 is only reachable from the container network; `docker run -p` decides which ports are published.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    ONOMA_METRICS=0.0.0.0:9464 \
    ONOMA_DATA_DIR=/var/lib/onoma \
    NODE_COMPILE_CACHE=/app/.compile-cache
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE ./
COPY bin bin
COPY --from=bundle /app/data data
# The guides that the service shows at /docs/guides.
COPY docs docs
COPY --from=bundle /app/src src
COPY --from=bundle /app/dist dist
RUN install --directory --owner=node --group=node /var/lib/onoma "$NODE_COMPILE_CACHE"

# The user "node" of the base image, by number, so that an orchestrator can verify that it is not root.
USER 1000:1000
# Starting the service once fills the compile cache. Other flags, and another user, would have another cache.
RUN PORT=0 ENS_PORT=0 ONOMA_METRICS=off ONOMA_DATA_DIR=/tmp/onoma ONOMA_DRAIN_SECONDS=0 \
    timeout --preserve-status --signal=INT 10 node --max-semi-space-size=16 --no-regexp-tier-up --expose-gc bin/onoma.js serve; \
    rm -rf /tmp/onoma && test -n "$(ls "$NODE_COMPILE_CACHE")"
VOLUME /var/lib/onoma
EXPOSE 8080 8081 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT ?? 8080}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "--max-semi-space-size=16", "--no-regexp-tier-up", "--expose-gc", "bin/onoma.js"]
CMD ["serve"]
