# What judges, apart from the agent: only /app/results is brought here.
FROM @IMAGE@
COPY . /tests/
RUN bash /tests/setup.sh
WORKDIR /app
