# What an agent works in: office programs, the files of the task, and nothing that judges.
FROM @IMAGE@
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
      libreoffice-calc libreoffice-writer libreoffice-impress poppler-utils \
      fonts-liberation fonts-noto-cjk \
 && rm -rf /var/lib/apt/lists/*
RUN pip install --no-cache-dir @LIBRARIES@
WORKDIR /app
COPY workspace/ /app/
RUN mkdir -p /app/results
