# A node of the Junqi server, with the `junqi` command: docs/deploy.md.
ARG NODE=24

FROM node:${NODE}-bookworm-slim AS build
WORKDIR /junqi
COPY package.json package-lock.json ./
COPY packages/engine/package.json packages/engine/
COPY packages/protocol/package.json packages/protocol/
COPY packages/client/package.json packages/client/
COPY packages/bots/package.json packages/bots/
COPY packages/web/package.json packages/web/
COPY packages/server/package.json packages/server/
COPY packages/cli/package.json packages/cli/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.base.json ./
COPY packages packages
# What the server shows under /docs is made of them.
COPY docs docs
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf packages/*/src packages/*/scripts docs
COPY deploy/healthcheck.js deploy/

FROM node:${NODE}-bookworm-slim
ENV NODE_ENV=production JUNQI_HOST=0.0.0.0 JUNQI_DATA_DIR=/data PATH=/junqi/node_modules/.bin:$PATH
RUN install -d -o node -g node /data
WORKDIR /junqi
COPY --from=build /junqi ./
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 CMD ["node", "deploy/healthcheck.js"]
# Not through npm, which would keep the SIGTERM to itself.
# The larger young generation saves a tenth of the CPU of a move (docs/performance.md).
CMD ["node", "--max-semi-space-size=32", "packages/server/dist/main.js"]
