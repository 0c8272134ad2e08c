"""Pictures as a model is shown them: of a kind and size that every provider takes."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, PngImagePlugin

from bythebook.deliverables.hands import WorkspaceHands
from bythebook.deliverables.picture import LONGEST_SIDE, fit
from bythebook.models.types import LARGEST_IMAGE
from bythebook.sandbox.sandbox import sandbox
from bythebook.tool import Refused

pytestmark = pytest.mark.anyio


def decoded(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


def test_a_small_png_is_shown_to_the_byte(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    Image.new("RGB", (300, 200), "red").save(path)
    seen = fit(path)
    assert (seen.media, seen.width, seen.height) == ("image/png", 300, 200)
    assert seen.data == path.read_bytes()


@pytest.mark.parametrize("form", ["GIF", "TIFF", "BMP", "WEBP"])
def test_what_not_every_provider_reads_becomes_a_png(tmp_path: Path, form: str) -> None:
    Image.new("RGB", (300, 200), "red").save(tmp_path / "a", form, lossless=True)
    seen = fit(tmp_path / "a")
    assert (seen.media, decoded(seen.data).format) == ("image/png", "PNG")
    assert decoded(seen.data).convert("RGB").getpixel((7, 7)) == (255, 0, 0)


def test_a_long_scan_is_made_smaller_and_keeps_its_shape(tmp_path: Path) -> None:
    Image.new("L", (1240, 4960), 200).save(tmp_path / "a.png")
    seen = fit(tmp_path / "a.png")
    assert (seen.width, seen.height, seen.original) == (500, LONGEST_SIDE, (1240, 4960))
    assert decoded(seen.data).size == (500, LONGEST_SIDE)


def test_a_picture_of_many_bytes_is_shown_with_a_little_loss(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    Image.merge("RGB", [Image.effect_noise((1600, 1600), 90) for _ in "rgb"]).save(path)
    assert path.stat().st_size > LARGEST_IMAGE
    seen = fit(path)
    assert (seen.media, seen.width) == ("image/jpeg", 1600)
    assert len(seen.data) <= LARGEST_IMAGE
    assert len(seen.data) * 4 / 3 < 5 * 2**20, "an Anthropic picture has at most 5 MiB in base64"


def test_a_photograph_taken_sideways_is_shown_upright(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (300, 200), "red").save(tmp_path / "a.jpg", exif=exif)
    assert (fit(tmp_path / "a.jpg").width, fit(tmp_path / "a.jpg").height) == (200, 300)


def test_what_lets_light_through_is_shown_on_white(tmp_path: Path) -> None:
    Image.new("RGBA", (3000, 10), (0, 0, 0, 0)).save(tmp_path / "a.png")
    assert decoded(fit(tmp_path / "a.png").data).getpixel((5, 5)) == (255, 255, 255)


def test_light_comes_through_a_small_picture_onto_white_too(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    for mode, clear in (("RGBA", (0, 0, 0, 0)), ("LA", (0, 0)), ("P", 0), ("RGB", 0)):
        Image.new(mode, (30, 20), clear).save(
            path, transparency={"P": 0, "RGB": (0, 0, 0)}.get(mode)
        )
        assert decoded(fit(path).data).convert("RGB").getpixel((5, 5)) == (255, 255, 255), mode


SIXTEEN, LITTLE, BIG = ("a.png", "I;16"), ("a.tif", "I;16"), ("a.tif", "I;16B")


@pytest.mark.parametrize("width", [256, 4096])
@pytest.mark.parametrize(("name", "mode"), [SIXTEEN, LITTLE, BIG])
def test_greys_of_sixteen_bits_are_not_cut_off(
    tmp_path: Path, name: str, mode: str, width: int
) -> None:
    greys = [65_536 // width * step for step in range(width)]
    data = b"".join(grey.to_bytes(2, "big" if mode == "I;16B" else "little") for grey in greys)
    Image.frombytes(mode, (width, 1), data).resize((width, 16)).save(tmp_path / name)
    seen = decoded(fit(tmp_path / name).data)
    row = [seen.getpixel((x, 0)) for x in (0, seen.width // 2, seen.width - 1)]
    assert seen.mode == "L"
    assert row == pytest.approx([0, 127, 255], abs=2)


@pytest.mark.parametrize("mode", ["I", "F"])
def test_greys_without_a_scale_are_shown_from_the_darkest_to_the_brightest(
    tmp_path: Path, mode: str
) -> None:
    path = tmp_path / "a.tif"
    picture = Image.new(mode, (3, 1), 0)
    for x in range(3):
        picture.putpixel((x, 0), (x - 1) * 100_000)
    picture.save(path)
    assert list(decoded(fit(path).data).tobytes()) == pytest.approx([0, 127, 255], abs=1)
    Image.new(mode, (3, 1), 7).save(path)
    assert decoded(fit(path).data).size == (3, 1)


def test_a_picture_made_for_print_is_shown_in_colours_of_a_screen(tmp_path: Path) -> None:
    profile = b"a profile of inks"
    Image.new("CMYK", (30, 20), (0, 255, 255, 0)).save(tmp_path / "a.jpg", icc_profile=profile)
    seen = decoded(fit(tmp_path / "a.jpg").data)
    assert (seen.mode, seen.getpixel((5, 5))) == ("RGB", (255, 0, 0))
    assert profile not in seen.info.values()


@pytest.mark.parametrize("form", ["PNG", "GIF", "TIFF", "WEBP"])
async def test_of_many_pages_the_first_is_shown_and_their_number_said(
    workspace: Path, form: str
) -> None:
    pages = [Image.new("RGB", (30, 20), colour) for colour in ("red", "green", "blue")]
    pages[0].save(workspace / "a", form, save_all=True, append_images=pages[1:], lossless=True)
    with sandbox("none: unsafe", workspace, workspace.parent / "scratch") as made:
        shown = await WorkspaceHands(made).use("view_image", {"path": "a"})
    assert "the first of 3 in the file" in shown.text
    seen = decoded(shown.images[0].data)
    assert (getattr(seen, "n_frames", 1), seen.convert("RGB").getpixel((5, 5))) == (1, (255, 0, 0))


# --- as a tool ----------------------------------------------------------------------------------


async def refusal(workspace: Path, name: str) -> str:
    scratch = workspace.parent / "scratch"
    with sandbox("none: unsafe", workspace, scratch) as made, pytest.raises(Refused) as caught:
        await WorkspaceHands(made).use("view_image", {"path": name})
    return str(caught.value)


async def test_a_picture_is_looked_at_by_its_path(workspace: Path) -> None:
    Image.new("RGB", (2400, 1200), "red").save(workspace / "plan.png")
    with sandbox("none: unsafe", workspace, workspace.parent / "scratch") as made:
        shown = await WorkspaceHands(made).use("view_image", {"path": "plan.png"})
    assert shown.text == "plan.png is shown: 2000 x 1000 pixels, made smaller from 2400 x 1200"
    (image,) = shown.images
    assert decoded(image.data).size == (2000, 1000)


async def test_what_is_no_picture_is_refused_in_words(workspace: Path) -> None:
    (workspace / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n and nothing more")
    (workspace / "b.jpg").write_text("words")
    Image.new("RGB", (300, 200), "red").save(workspace / "c.png")
    (workspace / "c.png").write_bytes((workspace / "c.png").read_bytes()[:150])
    for name in ("a.png", "b.jpg", "c.png"):
        assert "does not open as a picture" in await refusal(workspace, name)


async def test_a_bomb_of_pixels_does_not_fall_on_us(workspace: Path) -> None:
    Image.new("1", (30_000, 30_000)).save(workspace / "bomb.png")
    assert "more than 60,000,000 pixels" in await refusal(workspace, "bomb.png")
    info = PngImagePlugin.PngInfo()
    info.add_text("a", "x" * 60_000_000, zip=True)
    Image.new("1", (30, 30)).save(workspace / "words.png", pnginfo=info)
    assert "does not open as a picture" in await refusal(workspace, "words.png")


async def test_pictures_are_pointed_to_the_tool_that_shows_them(workspace: Path) -> None:
    Image.new("RGB", (30, 20), "red").save(workspace / "a.png")
    with sandbox("none: unsafe", workspace, workspace.parent / "scratch") as made:
        for pictures, way in ((True, "view_image"), (False, "python3 through exec")):
            hands = WorkspaceHands(made, pictures=pictures)
            assert ("view_image" in [tool.name for tool in hands.tools]) is pictures
            with pytest.raises(Refused, match=way):
                await hands.use("read_file", {"path": "a.png"})
