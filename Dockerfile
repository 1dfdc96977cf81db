# Faircopy in a container. Build: docker build -t faircopy .
# With models baked in: docker build --build-arg MODELS=svc-1.0-lite,svc-1.0-pro,svc-1.0-max -t faircopy .
ARG NODE_IMAGE=docker.io/library/node:22-bookworm-slim

# Only the manifests, so that the dependency layers stay cached until a manifest changes.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages ./packages
RUN find packages -mindepth 2 -not -name package.json -not -type d -delete && find packages -type d -empty -delete

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY --from=manifests /app ./
RUN npm ci --no-audit --no-fund
COPY . .
# The name of this build, shown after the version: docker build --build-arg BUILD=$(git rev-parse --short=12 HEAD) …
ARG BUILD=
RUN FAIRCOPY_BUILD="$BUILD" node scripts/build.mjs

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY --from=manifests /app ./
# Only the server, without the console's tools and the compiler. Binaries for other platforms are removed.
RUN npm ci --omit=dev --workspace packages/server --no-audit --no-fund \
 && node -e "const{rmSync,readdirSync}=require('fs');const{platform:p,arch:a}=process;const o='node_modules/onnxruntime-node/bin/napi-v6';for(const d of readdirSync(o))for(const c of readdirSync(o+'/'+d))if(d!==p||c!==a)rmSync(o+'/'+d+'/'+c,{recursive:true});const s='node_modules/@photostructure/sqlite/prebuilds';for(const d of readdirSync(s))if(d!==p+'-'+a)rmSync(s+'/'+d,{recursive:true})" \
 && rm -rf /root/.npm

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Faircopy" \
      org.opencontainers.image.description="Speech transcription server" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://github.com/faircopy/faircopy"
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    FAIRCOPY_DATA_DIR=/data \
    FAIRCOPY_MODELS_DIR=/models \
    # npm, which pulls models, writes a cache. The root file system may be read-only, but /tmp is not.
    HOME=/tmp \
    npm_config_cache=/tmp/.npm
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=dependencies /app/packages ./packages
COPY LICENSE package.json ./
COPY --from=build /app/packages/contract/dist/src ./packages/contract/dist/src
COPY --from=build /app/packages/transcript/dist/src ./packages/transcript/dist/src
COPY --from=build /app/packages/client/dist/src ./packages/client/dist/src
COPY --from=build /app/packages/refiner-model ./packages/refiner-model
COPY --from=build /app/packages/turn-model ./packages/turn-model
COPY --from=build /app/packages/server/dist/src ./packages/server/dist/src
COPY --from=build /app/packages/server/dist/bundle ./packages/server/dist/bundle
COPY --from=build /app/packages/server/dist/libraries ./packages/server/dist/libraries
COPY --from=build /app/packages/server/dist/docs ./packages/server/dist/docs
COPY --from=build /app/packages/server/dist/console ./packages/server/dist/console
COPY --from=build /app/packages/server/assets ./packages/server/assets
COPY --from=build /app/packages/server/bin ./packages/server/bin
COPY deploy/container/healthcheck.mjs /usr/local/lib/faircopy-healthcheck.mjs
RUN ln -s /app/packages/server/bin/faircopy.js /usr/local/bin/faircopy \
 && install -d -m 0700 -o 1000 -g 1000 /data && install -d -o 1000 -g 1000 /models

USER 1000:1000
# Tiers to bake into the image. If empty, the first start pulls the tiers in FAIRCOPY_MODELS.
ARG MODELS=
RUN if [ -n "$MODELS" ]; then FAIRCOPY_MODELS="$MODELS" faircopy models pull; fi

VOLUME ["/data", "/models"]
EXPOSE 8080
# Node handles SIGTERM itself, so no init process is needed. Running requests have 65 s to finish.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s CMD ["node", "/usr/local/lib/faircopy-healthcheck.mjs"]
ENTRYPOINT ["faircopy"]
CMD ["serve"]
