# nlpviz for a server: docs/serving.md. Only what the pages need; nothing runs as root, and nothing in the image is
# written to at run time.
FROM python:3.11.14-slim-bookworm

# malloc keeps two arenas instead of eight a core: what visitors have left goes back to the system (docs/serving.md).
ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    MALLOC_ARENA_MAX=2 \
    HOME=/tmp \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0

WORKDIR /app

# The small build of PyTorch first, from its own index; what is in the requirements already is not installed again.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
COPY requirements.txt ./
RUN grep --only-matching '^torch==[0-9.]*' requirements.txt > /tmp/torch.txt \
 && pip install --only-binary=:all: --index-url "$TORCH_INDEX" --requirement /tmp/torch.txt \
 && pip install --only-binary=:all: --requirement requirements.txt \
 && rm /tmp/torch.txt

# From what changes seldom to what changes often: runs, then code.
COPY trained trained
COPY .streamlit .streamlit
COPY docs/glossary.md docs/
COPY nlpviz nlpviz
COPY pages pages
COPY static static
COPY app.py ./
# What a server would write beside its code at its first start.
RUN python -m compileall -q nlpviz

USER 10001:10001
EXPOSE 8501
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["python", "-m", "streamlit", "run", "app.py", "--server.port", "8501"]
