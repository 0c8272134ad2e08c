"""Lines to models that a cloud sells under an address and a login of its own.

Requests are checked against a local server: address, login and body, as the clouds' documentation
and the SDKs have them. No real cloud has been asked.
"""

import re
from collections.abc import Mapping
from importlib.util import find_spec
from urllib.parse import parse_qs, quote, urlsplit

from bythebook.errors import UsageError
from bythebook.models.client import Line
from bythebook.models.dialects import ANTHROPIC, CHAT, RESPONSES, Body, Speech
from bythebook.models.lines import Send, limited, post
from bythebook.models.wire import Fault

# --- Azure OpenAI -------------------------------------------------------------------------------


def azure_line(base_url: str, key: str, speech: Speech, *, timeout: float) -> Line:
    """A deployment of a resource, `https://RESOURCE.openai.azure.com`.

    An address that ends in `?api-version=DATE` means the older interface, which has a path for
    each deployment; it holds for chat completions alone.
    """
    import openai

    where = urlsplit(base_url)
    version = parse_qs(where.query).get("api-version", [""])[0]
    plain = where._replace(query="").geturl().rstrip("/").removesuffix("/openai/v1")
    tuned = limited("max_completion_tokens") if speech is CHAT else _as_it_is
    path = "/responses" if speech is RESPONSES else "/chat/completions"
    if not version:
        sdk = openai.AsyncOpenAI(
            api_key=key or "none", base_url=f"{plain}/openai/v1", timeout=timeout, max_retries=0
        )

        async def send(body: Body, headers: Mapping[str, str]) -> bytes:
            login = {"api-key": key, "Authorization": openai.Omit()}
            return await post(sdk, openai, path, body, {**headers, **login})

        return Line(send, sdk.close, speech, tuned)
    if speech is RESPONSES:
        hint = "leave ?api-version=... out of the base URL"
        raise UsageError("Responses are not to be had by the older interface", hint=hint)
    old = openai.AsyncAzureOpenAI(
        api_key=key or "none",
        api_version=version,
        base_url=f"{plain}/openai",
        timeout=timeout,
        max_retries=0,
    )

    async def send_old(body: Body, headers: Mapping[str, str]) -> bytes:
        at = f"/deployments/{quote(body['model'], safe='')}{path}"
        return await post(old, openai, at, body, headers)

    return Line(send_old, old.close, speech, tuned)


def _as_it_is(body: Body) -> Body:
    return body


# --- Anthropic's models on Bedrock and Vertex ---------------------------------------------------


def bedrock_line(base_url: str, key: str, *, timeout: float) -> Line:
    """A model of Anthropic's at `https://bedrock-runtime.REGION.amazonaws.com`.

    With a key, that is the login; without, requests are signed with whatever credentials the AWS
    SDK finds. Streams are in a format of AWS's own, so none is asked for.
    """
    import anthropic

    _demand(key, "boto3", "bedrock", "AWS_BEARER_TOKEN_BEDROCK")
    region = re.search(r"bedrock-runtime(?:-fips)?\.([\w-]+)\.", base_url)
    sdk = anthropic.AsyncAnthropicBedrock(
        api_key=key or None,
        aws_region=region[1] if region else "us-east-1",
        base_url=base_url.rstrip("/"),
        timeout=timeout,
        max_retries=0,
    )
    if not key:
        # The SDK looks for a key of its own in the environment, which nobody has named here.
        sdk.api_key = None

    async def send(body: Body, headers: Mapping[str, str]) -> bytes:
        sent = _versioned(body, "bedrock-2023-05-31", ("model", "stream"))
        if headers.get("anthropic-beta"):
            sent["anthropic_beta"] = headers["anthropic-beta"].split(",")
        path = f"/model/{quote(body['model'], safe=':')}/invoke"
        return await post(sdk, anthropic, path, sent, {})

    return Line(_logged_in(send), sdk.close, ANTHROPIC)


def vertex_line(base_url: str, key: str, *, timeout: float) -> Line:
    """A model of Anthropic's at
    `https://REGION-aiplatform.googleapis.com/v1/projects/PROJECT/locations/REGION`.

    The key is an access token; without, the credentials that Google's SDK finds are used.
    """
    import anthropic

    _demand(key, "google.auth", "vertex", "VERTEX_ACCESS_TOKEN")
    place = re.search(r"/projects/([^/]+)/locations/([^/]+)/?$", base_url)
    if place is None:
        hint = "as in https://REGION-aiplatform.googleapis.com/v1/projects/PROJECT/locations/REGION"
        raise UsageError("the base URL names no project and location", where=base_url, hint=hint)
    sdk = anthropic.AsyncAnthropicVertex(
        project_id=place[1],
        region=place[2],
        access_token=key or None,
        base_url=base_url.rstrip("/"),
        timeout=timeout,
        max_retries=0,
    )

    async def send(body: Body, headers: Mapping[str, str]) -> bytes:
        what = "streamRawPredict" if body.get("stream") else "rawPredict"
        path = f"/publishers/anthropic/models/{quote(body['model'], safe='@')}:{what}"
        sent = _versioned(body, "vertex-2023-10-16", ("model",))
        return await post(sdk, anthropic, path, sent, headers)

    return Line(_logged_in(send), sdk.close, ANTHROPIC, streams=True)


def _versioned(body: Body, version: str, dropped: tuple[str, ...]) -> Body:
    """The body as a cloud wants it: the model stands in the path, the version in the body."""
    kept = {name: value for name, value in body.items() if name not in dropped}
    return {"anthropic_version": version} | kept


def _demand(key: str, module: str, extra: str, variable: str) -> None:
    """Without a key the cloud's SDK is needed. Raises `UsageError` that names both ways."""
    try:
        found = key or find_spec(module)
    except ModuleNotFoundError:
        found = None
    if not found:
        raise UsageError(
            f"{extra} is to log in by itself, and the package that can is missing",
            hint=f"pip install 'bythebook[{extra}]', or put a key into {variable}",
        )


def _logged_in(send: Send) -> Send:
    """The same; a login that fails is the provider's fault, and asking again does not help."""

    async def sending(body: Body, headers: Mapping[str, str]) -> bytes:
        try:
            return await send(body, headers)
        except Exception as error:
            theirs = type(error).__module__.startswith(("google.auth", "botocore"))
            if not (theirs or (isinstance(error, RuntimeError) and "credentials" in str(error))):
                raise
            hint = "is this machine logged in there?"
            raise Fault(f"no login: {error}", again=False, hint=hint) from None

    return sending
