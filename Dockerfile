# The fake Ironic in a container. Its options are variables: BAREMETAL_FAKE_SERVER_SEED and so on.
FROM python:3.13-slim AS build
WORKDIR /source
COPY LICENSE README.rst pyproject.toml setup.cfg ./
COPY baremetalclient baremetalclient
COPY fake_server fake_server
RUN python -m venv /opt/fake && \
    /opt/fake/bin/pip install --no-cache-dir --no-compile '.[server,postgresql]' && \
    /opt/fake/bin/python -m compileall -q /opt/fake/lib

FROM python:3.13-slim
COPY --from=build /opt/fake /opt/fake
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/baremetal-fake-server fake
ENV PATH=/opt/fake/bin:$PATH \
    BAREMETAL_FAKE_SERVER_HOST=0.0.0.0 \
    BAREMETAL_FAKE_SERVER_PORT=6385
USER 10001
WORKDIR /var/lib/baremetal-fake-server
VOLUME /var/lib/baremetal-fake-server
EXPOSE 6385
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --retries=3 \
    CMD ["sh", "-c", "exec baremetal-fake-server ctl --url \"${BAREMETAL_FAKE_SERVER_URL:-http://127.0.0.1:$BAREMETAL_FAKE_SERVER_PORT}\" health"]
ENTRYPOINT ["baremetal-fake-server"]
CMD ["serve"]
